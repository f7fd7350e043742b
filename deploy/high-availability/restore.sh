#!/bin/sh
# Restores the data of a stopped node from the bucket: to a moment such as 2026-11-21T08:00:00Z, or without it to the end
# of the log. After an earlier restore the log has two branches: a second argument names the timeline to follow in place of
# the latest. PostgreSQL has left recovery and is stopped afterwards: Patroni would remove the settings of a recovery.
set -eu
data=$PGBACKREST_PG1_PATH
timeline=${2:-latest}
if [ "$#" -gt 0 ]; then
  : "${1:?the moment is empty}"
  # pgBackRest accepts neither T nor Z.
  target=$(echo "$1" | sed 's/T/ /; s/Z$/+00/')
  set -- --type=time "--target=$target" --target-action=promote "--target-timeline=$timeline"
fi
# The old data stay, in case the moment was a wrong one.
if [ -e "$data" ]; then
  mv "$data" "$data-$(date -u +%Y%m%dT%H%M%SZ)"
fi
mkdir -m 700 "$data"
pgbackrest "$@" restore
pg_ctl --pgdata="$data" --wait --timeout=86400 --options='-c hot_standby=off -c listen_addresses=' start
# `start` returns during the recovery. Without hot_standby no connection is accepted before it is over.
until pg_isready --quiet; do
  pg_ctl --pgdata="$data" status > /dev/null
  sleep 1
done
pg_ctl --pgdata="$data" --wait --timeout=86400 stop
