#!/usr/bin/env bash
# Restores a backup of deploy/backup.sh: deploy/restore.sh BACKUP [REDIS_FOLDER]
#
# Stop the servers first, and the Redis whose data REDIS_FOLDER is (/var/lib/redis on Debian). What is there is moved aside
# as NAME.before-INSTANT, and stays until you remove it. HINDSIGHT_STATE and HINDSIGHT_SNAPSHOTS are as for the server. The backup's snapshot is taken
# into use only if none is.
set -euo pipefail
umask 077
[ $# = 1 ] || [ $# = 2 ] || { echo "usage: $0 BACKUP [REDIS_FOLDER]" >&2; exit 2; }
backup="$1"
state="${HINDSIGHT_STATE:-state/hindsight.db}"
snapshots="${HINDSIGHT_SNAPSHOTS:-snapshots/data}"
aside="before-$(date -u +%Y%m%dT%H%M%SZ)"

fail() { echo "$1" >&2; exit 1; }

# Gives a file or folder the owner of another, where we may.
own_as() { [ "$(id -u)" != 0 ] || chown -R --reference="$1" "$2"; }

restore_file() {
  command -v sqlite3 > /dev/null || fail "sqlite3 is not installed"
  # The owner of the state file holds a lock on the file beside it.
  if [ -f "$state-owner" ] && ! sqlite3 "$state-owner" "BEGIN EXCLUSIVE; COMMIT" 2> /dev/null; then
    fail "the state file \"$state\" belongs to a running process: stop it first"
  fi
  mkdir -p "$(dirname "$state")"
  cp "$backup/hindsight.db" "$state.part"
  own_as "$(dirname "$state")" "$state.part"
  sync "$state.part"
  for each in "$state" "$state-wal" "$state-shm"; do
    [ ! -e "$each" ] || mv -T "$each" "$each.$aside"
  done
  mv -T "$state.part" "$state"
}

# A Redis with an append-only file reads no copy, so one is started without, reads it, and writes the file anew.
restore_redis() {
  local folder="$1" socket="$1/restore.sock" as=()
  [ -d "$folder" ] || fail "there is no folder \"$folder\""
  [ "$(id -u)" != 0 ] || as=(setpriv --reuid "$(stat -c %u "$folder")" --regid "$(stat -c %g "$folder")" --clear-groups)
  local pid
  for pid in $(pgrep -x redis-server || true); do
    [ "$(readlink "/proc/$pid/cwd")" != "$(realpath "$folder")" ] || fail "a Redis runs in \"$folder\" (process $pid): stop it first"
  done
  mv -T "$folder" "$folder.$aside"
  install -d -m 750 "$folder"
  install -m 640 "$backup/redis.rdb" "$folder/dump.rdb"
  own_as "$folder.$aside" "$folder"
  "${as[@]}" redis-server --port 0 --unixsocket "$socket" --dir "$folder" --appendonly no > /dev/null &
  pid=$!
  trap 'kill $pid 2> /dev/null || true' EXIT
  until [ "$(redis-cli -s "$socket" ping 2> /dev/null)" = PONG ]; do still "$pid"; done
  redis-cli -s "$socket" config set appendonly yes > /dev/null
  until [ "$(redis-cli -s "$socket" info persistence | grep -cE "aof_(enabled:1|rewrite_in_progress:0|rewrite_scheduled:0)")" = 3 ]; do
    still "$pid"
  done
  redis-cli -s "$socket" shutdown
  wait "$pid"
  trap - EXIT
}

still() {
  kill -0 "$1" 2> /dev/null || fail "redis-server ended before it had read the copy"
  sleep 0.1
}

if [ -f "$backup/hindsight.db" ]; then
  [ $# = 1 ] || fail "\"$backup\" is of a state file: it takes no folder of a Redis"
  restore_file
elif [ -f "$backup/redis.rdb" ]; then
  [ $# = 2 ] || fail "\"$backup\" is of a Redis: name the folder of its data"
  restore_redis "$2"
else
  fail "\"$backup\" is no backup: it has neither hindsight.db nor redis.rdb"
fi

if [ -f "$snapshots/CURRENT" ]; then
  echo "the snapshot in use stays: $(cat "$snapshots/CURRENT")"
elif [ -f "$backup/snapshots/CURRENT" ]; then
  mkdir -p "$snapshots"
  name="$(tr -d '[:space:]' < "$backup/snapshots/CURRENT")"
  if [ ! -e "$snapshots/$name" ]; then
    cp -r "$backup/snapshots/$name" "$snapshots/.$name.part"
    chmod -R u=rwX,go=rX "$snapshots/.$name.part"
    mv -T "$snapshots/.$name.part" "$snapshots/$name"
  fi
  cp "$backup/snapshots/CURRENT" "$snapshots/.CURRENT.part"
  chmod 644 "$snapshots/.CURRENT.part"
  mv -T "$snapshots/.CURRENT.part" "$snapshots/CURRENT"
  own_as "$snapshots" "$snapshots"
fi
sync
echo "restored from $backup"
