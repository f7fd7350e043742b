#!/bin/sh
# Starts one of several Redis. The sentinels decide about its role and have it stored in /data/redis.conf; the other lines
# there are written again at each start, so that a change of the configuration applies.
# REDIS_ADDRESS is the address of this server, FIRST_PRIMARY that of the primary until the first failover.
set -eu
state=/data/redis.conf
role=''
if [ -f "$state" ]; then
  role=$(grep '^replicaof ' "$state" || true)
elif [ "$REDIS_ADDRESS" != "$FIRST_PRIMARY" ]; then
  role="replicaof $FIRST_PRIMARY 6379"
fi
cat > "$state.new" <<LINES
include /etc/storefront/redis.conf
include /etc/storefront/replication.conf
replica-announce-ip $REDIS_ADDRESS
$role
LINES
mv "$state.new" "$state"
exec redis-server "$state"
