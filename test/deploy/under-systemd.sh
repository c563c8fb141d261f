#!/usr/bin/env bash
# A systemd of its own that runs the units of deploy/ as docs/run.md installs them: under-systemd.sh SNAPSHOTS COMMANDS
#
# In namespaces, over a copy of the machine's files that is thrown away: nothing of the machine is written to. Of its units
# there are only targets without content, so that nothing else is started. Runs COMMANDS by bash, and prints "ended <status>".
set -euo pipefail
if [ "${INSIDE:-}" = "" ]; then
  group="$(findmnt -t cgroup2 -n -o TARGET | head -n 1)/hindsight-$$"
  mkdir "$group"
  trap 'sleep 0.5; find "$group" -depth -type d -exec rmdir {} +; rmdir "$INSIDE"' EXIT
  INSIDE="$(mktemp -d)" && export INSIDE
  # shellcheck disable=SC2016
  bash -c 'echo $$ > "$1/cgroup.procs"; exec timeout -k 5 200 unshare --mount --pid --fork --kill-child --uts --ipc --cgroup "${@:2}"' \
    group "$group" "$0" "$@"
  exit
fi

mount --make-rprivate /
mount -t tmpfs tmpfs "$INSIDE"
root="$INSIDE/root"
mkdir "$INSIDE"/{up,work} "$root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$INSIDE/up,workdir=$INSIDE/work" "$root"
mount -t proc proc "$root/proc"
for folder in sys dev; do mount --rbind "/$folder" "$root/$folder" && mount --make-rslave "$root/$folder"; done
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
for folder in run tmp var/tmp; do mount -t tmpfs tmpfs "$root/$folder"; done

units="$root/etc/systemd/system"
rm -rf "$units" && mkdir "$units" "$root/run/systemd"
for target in sysinit basic multi-user network-online; do printf '[Unit]\nDefaultDependencies=no\n' > "$units/$target.target"; done
cp -r deploy/systemd/. "$units/"
printf '[Service]\nStandardOutput=append:/run/log\nStandardError=append:/run/log\n' > "$units/hindsight-.service.d/log.conf"
home="$root/opt/hindsight"
for folder in dist docs deploy node_modules; do mkdir -p "$home/$folder" && mount --bind "$folder" "$home/$folder"; done
cp package.json "$home/"
useradd --root "$root" --system --home-dir /opt/hindsight --shell /usr/sbin/nologin hindsight
user="$(grep '^hindsight:' "$root/etc/passwd" | cut -d: -f3,4)"
mkdir -p "$home/snapshots/data" "$home/state" "$root/var/backups/hindsight"
cp -r "$1/." "$home/snapshots/data/"
cp "$2" "$root/run/commands"
chown -R "$user" "$home/snapshots/data" "$home/state" "$root/var/backups/hindsight"
chmod 700 "$home/state" "$root/var/backups/hindsight"

cd "$root" && mkdir -p old && pivot_root . old && cd / && umount -l /old # a user namespace takes this; chroot is not enough
(
  until [ -S /run/systemd/private ]; do sleep 0.1; done
  status=0
  bash -euo pipefail /run/commands || status=$?
  [ "$status" = 0 ] || tail -n 20 /run/log
  echo "ended $status"
  systemctl --force --force poweroff
) &
export container=other SYSTEMD_UNIT_PATH=/etc/systemd/system
exec /lib/systemd/systemd --system --log-target=null --show-status=no --unit=multi-user.target
