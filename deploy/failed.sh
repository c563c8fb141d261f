#!/usr/bin/env bash
# Mails that a service failed: deploy/failed.sh NAME. hindsight-failed@.service runs it.
#
#   HINDSIGHT_ALERT_MAIL                      to whom; without it, only the log has it
#   HINDSIGHT_SMTP_URL, HINDSIGHT_MAIL_FROM   as for the server
set -euo pipefail
[ $# = 1 ] || { echo "usage: $0 NAME" >&2; exit 2; }
text="$1 failed on $(hostname). Its log: journalctl -u $1"
echo "$text"
[ -n "${HINDSIGHT_ALERT_MAIL:-}" ] || exit 0
server="${HINDSIGHT_SMTP_URL:?there is no mail server}"
from="${HINDSIGHT_MAIL_FROM:-$HINDSIGHT_ALERT_MAIL}"
# The server's address has a password, and ps shows a command line.
printf 'From: %s\r\nTo: %s\r\nSubject: %s failed\r\n\r\n%s\r\n' "$from" "$HINDSIGHT_ALERT_MAIL" "$1" "$text" |
  curl -fsS --ssl --config <(printf 'url = "%s"\n' "$server") \
    --mail-from "$from" --mail-rcpt "$HINDSIGHT_ALERT_MAIL" --upload-file -
