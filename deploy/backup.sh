#!/usr/bin/env bash
# Backs up the state (file or Redis) and the newest snapshot while servers run: deploy/backup.sh FOLDER
#
#   HINDSIGHT_STATE         as for the server (state/hindsight.db)
#   HINDSIGHT_BACKUP_REDIS  the same Redis with a user that may replicate it, if the server's may not
#   HINDSIGHT_SNAPSHOTS     as for the server (snapshots/data)
#   HINDSIGHT_BACKUP_KEEP   how many backups stay in FOLDER (14)
#
# Prints the new backup's folder: FOLDER/<instant>/ with hindsight.db or redis.rdb, and snapshots/.
set -euo pipefail
umask 077
[ $# = 1 ] || { echo "usage: $0 FOLDER" >&2; exit 2; }
state="${HINDSIGHT_STATE:-state/hindsight.db}"
snapshots="${HINDSIGHT_SNAPSHOTS:-snapshots/data}"
keep="${HINDSIGHT_BACKUP_KEEP:-14}"
[[ "$keep" =~ ^[1-9][0-9]*$ ]] || { echo "HINDSIGHT_BACKUP_KEEP is \"$keep\", not a number from 1" >&2; exit 2; }

decoded() { printf '%b' "${1//%/\\x}"; }

# redis[s]://[user[:password]@]host[:port][/db]. The password goes where ps does not show it.
copy_redis() {
  local address="$1" login="" port=6379 options=()
  [[ "$address" == rediss://* ]] && options+=(--tls ${NODE_EXTRA_CA_CERTS:+--cacert "$NODE_EXTRA_CA_CERTS"})
  address="${address#*://}"
  address="${address%%/*}"
  [[ "$address" == *@* ]] && login="${address%@*}" && address="${address##*@}"
  [[ "$address" =~ ^(.+):([0-9]+)$ ]] && address="${BASH_REMATCH[1]}" && port="${BASH_REMATCH[2]}"
  if [[ "$login" == *:* ]]; then
    REDISCLI_AUTH="$(decoded "${login#*:}")"
    export REDISCLI_AUTH
    [ -z "${login%%:*}" ] || options+=(--user "$(decoded "${login%%:*}")")
  fi
  redis-cli -h "${address//[\[\]]/}" -p "$port" "${options[@]}" --rdb "$2" >&2
}

mkdir -p "$1"
instant="$(date -u +%Y%m%dT%H%M%SZ)"
part="$1/.$instant.part"
trap 'rm -rf "$part"' EXIT
mkdir "$part"

case "$state" in
  redis://* | rediss://*)
    copy_redis "${HINDSIGHT_BACKUP_REDIS:-$state}" "$part/redis.rdb"
    redis-check-rdb "$part/redis.rdb" > /dev/null
    ;;
  *)
    [ -f "$state" ] || { echo "there is no state file \"$state\"" >&2; exit 1; }
    file="$(realpath "$state")"
    (cd "$part" && sqlite3 -cmd ".timeout 10000" "$file" ".backup hindsight.db")
    [ "$(sqlite3 "$part/hindsight.db" 'PRAGMA integrity_check')" = ok ] || { echo "the copy of the state is damaged" >&2; exit 1; }
    ;;
esac

# The history of the index exists in the newest snapshot alone. Published ones do not change.
mkdir "$part/snapshots"
if [ -f "$snapshots/CURRENT" ]; then
  cp -p "$snapshots/CURRENT" "$part/snapshots/"
  cp -rp "$snapshots/$(tr -d '[:space:]' < "$part/snapshots/CURRENT")" "$part/snapshots/"
fi

find "$part" -exec sync {} +
mv -T "$part" "$1/$instant"
sync "$1"
echo "$1/$instant"

# Names are instants, so their order is that of time.
find "$1" -mindepth 1 -maxdepth 1 -type d -name '20*Z' | sort | head -n "-$keep" | while IFS= read -r old; do rm -rf "$old"; done
