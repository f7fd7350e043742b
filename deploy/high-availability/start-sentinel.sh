#!/bin/sh
# Starts a sentinel. It stores in /data/sentinel.conf what it knows, above all which server is the primary: only the first
# start writes this file. SENTINEL_ADDRESS is the address of this sentinel, FIRST_PRIMARY that of the Redis that begins as the primary.
set -eu
state=/data/sentinel.conf
if [ ! -f "$state" ]; then
  password=$(cat /run/storefront/password)
  umask 077
  cat > "$state.new" <<LINES
include /etc/storefront/sentinel.conf
sentinel announce-ip $SENTINEL_ADDRESS
sentinel monitor shop $FIRST_PRIMARY 6379 2
sentinel auth-pass shop $password
requirepass $password
user probe on nopass resetkeys resetchannels -@all +ping
LINES
  mv "$state.new" "$state"
fi
exec redis-server "$state" --sentinel
