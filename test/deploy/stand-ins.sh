#!/usr/bin/env bash
# What the walk (walk.ts) finds in place of these commands: they would change the machine, or need one with systemd as its
# first process, root, or a name in DNS. Each is a link to this file. WALK is the folder that stands for "/".
#
#   systemctl  reads units, templates and drop-ins as systemd does, and starts what they say with their environment, folder
#              and umask. Without users, sandboxes, restarts after a crash, and clocks of timers, which are only checked.
#   apt-get    the programs must be on this machine already, and of curl and node no source is asked. Of nginx and prometheus it writes the unit and the
#              configuration that Debian's packages bring, and starts nginx with its default site, as Debian does.
#   certbot    asks the web server for a file in the webroot, as an authority would, and is the authority.
#   nginx      the real one, with the walk's configuration. useradd does nothing; runuser runs as the same user.
set -euo pipefail
units="$WALK/etc/systemd/system"
started="$WALK/run"
nginx="$(type -ap nginx | tail -n 1)" # the first one is this file

# The values of a setting, in the order in which systemd takes them: the unit, then its drop-ins.
values() {
  local name="$1" unit="$2" instance="" file="$2" part
  [[ "$unit" != *@* ]] || { instance="${unit#*@}" && file="${unit%%@*}@"; }
  [ -f "$units/$file.service" ] || { echo "Unit $unit.service not found." >&2; exit 5; }
  for part in "$units/$file.service" "$units/${unit%%-*}-.service.d/"*.conf; do
    [ ! -f "$part" ] || sed -n "s/^$name=//p" "$part" | sed "s/%i/$instance/g"
  done
}
last() { values "$@" | tail -n 1; }

is_running() { [ -f "$started/$1.pid" ] && kill -0 "$(cat "$started/$1.pid")" 2> /dev/null; }

start() {
  local unit="$1" settings=() command file
  is_running "$unit" && return
  read -ra settings <<< "$(values Environment "$unit" | tr '\n' ' ')"
  file="$(last EnvironmentFile "$unit")"
  [ -z "$file" ] || mapfile -t -O "${#settings[@]}" settings < <(grep -E '^[A-Z_]+=' "${file#-}")
  read -ra command <<< "$(last ExecStart "$unit")"
  command=(env -i "PATH=$PATH" "HOME=$WALK" "${settings[@]}" "${command[@]}")
  file="$(last WorkingDirectory "$unit")"
  umask "$(last UMask "$unit" | grep . || echo 0022)"
  cd "${file:-/}"
  if [ "$(last Type "$unit")" = oneshot ]; then
    "${command[@]}" > "$started/$unit.log" 2>&1 || { echo "Job for $unit.service failed." >&2; exit 1; }
  else
    setsid "${command[@]}" >> "$started/$unit.log" 2>&1 < /dev/null &
    echo $! > "$started/$unit.pid"
  fi
}

stop() {
  local unit="$1" pid tenths=0
  is_running "$unit" || return 0
  pid="$(cat "$started/$unit.pid")"
  kill "$pid"
  while kill -0 "$pid" 2> /dev/null; do
    ((++tenths < 150)) || { echo "$unit did not end within 15 s" >&2 && kill -9 "$pid" && exit 1; }
    sleep 0.1
  done
  rm "$started/$unit.pid"
}

do_systemctl() {
  local verb="$1" unit file
  shift
  [ "${1:-}" != --now ] || shift
  for unit; do
    case "$verb $unit" in
      "enable "*.timer)
        [ -f "$units/${unit%.timer}.service" ]
        systemd-analyze calendar "$(sed -n 's/^OnCalendar=//p' "$units/$unit")" > /dev/null
        ;;
      "start "* | "enable "*) start "$unit" ;;
      "stop "* | "disable "*)
        for file in "$started"/$unit.pid; do stop "$(basename "$file" .pid)"; done # a pattern names all that it matches
        ;;
      "restart "*) stop "$unit" && start "$unit" ;;
      "reload "*) kill -HUP "$(cat "$started/$unit.pid")" ;;
    esac
  done
}

do_apt-get() {
  local package program
  shift
  for package; do
    [ "$package" != ca-certificates ] || continue
    program="${package/nodejs/node}"
    command -v "$program" > /dev/null || { echo "E: $package is not on this machine" >&2; exit 100; }
    mkdir -p "$WALK/etc/$package/conf.d"
    case "$package" in
      nginx)
        cat > "$WALK/etc/nginx/nginx.conf" << END
daemon off; user root; pid $WALK/nginx.pid; error_log $WALK/var/log/nginx/error.log; events {}
http {
  client_body_temp_path $WALK/client_body; proxy_temp_path $WALK/proxy;
  fastcgi_temp_path $WALK/fastcgi; uwsgi_temp_path $WALK/uwsgi; scgi_temp_path $WALK/scgi;
  include $WALK/etc/nginx/conf.d/*.conf;
  server { listen 127.0.0.1:$WALK_HTTP default_server; access_log off; root $WALK/var/www/html; }
}
END
        printf '[Service]\nExecStart=%s -c %s\n' "$nginx" "$WALK/etc/nginx/nginx.conf" > "$units/nginx.service"
        start nginx
        ;;
      prometheus)
        printf '[Service]\nExecStart=prometheus --config.file=%s --storage.tsdb.path=%s --web.listen-address=127.0.0.1:%s\n' \
          "$WALK/etc/prometheus/prometheus.yml" "$WALK/var/lib/prometheus" "$WALK_PROMETHEUS" > "$units/prometheus.service"
        ;;
    esac
  done
}

do_certbot() {
  local webroot="" host="" hook="" asked="acme-challenge/walk" folder
  while [ $# -gt 0 ]; do
    case "$1" in -w) webroot="$2" ;; -d) host="$2" ;; --deploy-hook) hook="$2" ;; *) set -- "$1" "$@" ;; esac
    shift 2
  done
  mkdir -p "$webroot/.well-known/acme-challenge"
  echo walked > "$webroot/.well-known/$asked"
  [ "$(curl -fsS --retry 9 --retry-connrefused -H "Host: $host" "http://127.0.0.1:$WALK_HTTP/.well-known/$asked")" = walked ]
  folder="$WALK/etc/letsencrypt/live/$host"
  mkdir -p "$folder"
  local new=(req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2)
  openssl "${new[@]}" -subj "/CN=Authority" -keyout "$WALK/ca.key" -out "$WALK/ca.pem" 2> /dev/null
  openssl "${new[@]}" -subj "/CN=$host" -CA "$WALK/ca.pem" -CAkey "$WALK/ca.key" -addext "subjectAltName=DNS:$host" \
    -keyout "$folder/privkey.pem" -out "$folder/fullchain.pem" 2> /dev/null
  $hook
}

do_nginx() { exec "$nginx" -c "$WALK/etc/nginx/nginx.conf" "$@"; }
do_curl() { [[ "$*" == *deb.nodesource.com/* ]] || exec "$(type -ap curl | tail -n 1)" "$@"; }
do_useradd() { :; }
do_runuser() {
  while [ "$1" != -- ]; do shift; done
  shift
  exec "$@"
}

"do_$(basename "$0")" "$@"
