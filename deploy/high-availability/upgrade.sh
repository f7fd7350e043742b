#!/bin/bash
# Replaces every server and service of the high-availability set-up one by one, by what is in its image and configuration
# now, while the shop sells (docs/operations.md). It ends at the first command that fails or waits in vain, and can be run
# again.
set -euo pipefail

eventually() {
  for _ in $(seq 300); do
    "$@" && return
    sleep 1
  done
  echo "not within minutes: $*" >&2
  return 1
}

# Whether all of these containers are.
healthy() {
  test "$(docker inspect --format '{{.State.Health.Status}}' "$@" | sort -u)" = healthy
}

# A container with the new image or configuration in place of the old one, if that changed.
replace() {
  docker compose up --detach --no-deps "$1"
  eventually healthy $(docker compose ps --quiet "$1")
}

# As many new containers beside the old ones, which then stop. New ones that do not become healthy are removed again.
roll() {
  local former added number
  former=$(docker compose ps --quiet "$1")
  number=$(echo $former | wc -w)
  if test "$number" = 0; then
    replace "$1"
    return
  fi
  docker compose up --detach --no-deps --no-recreate --scale "$1=$((2 * number))" "$1"
  added=$(docker compose ps --quiet "$1" | grep -vxF "$former")
  if ! eventually healthy $added; then
    docker rm --force $added
    return 1
  fi
  docker stop $former
  docker rm $former
}

query() {
  docker compose exec -T $1 psql --username=postgres --tuples-only --no-align --command="$2"
}

# Sets `primary`: the PostgreSQL that accepts writes, if it is not this one.
another_leads() {
  primary=$(for node in postgres postgres-2 postgres-3; do
    query $node "select '$node' where not pg_is_in_recovery()" || true
  done)
  test -n "$primary" && test "$primary" != "$1"
}

standbys_follow() {
  local states="select count(*), count(*) filter (where sync_state = 'sync') from pg_stat_replication where state = 'streaming'"
  test "$(query $primary "$states")" = '2|1'
}

switched_over() {
  docker compose exec -T $1 patronictl switchover --leader $1 --force storefront
  another_leads $1
}

redis() {
  docker compose exec -T $1 sh -c "redis-cli -e --no-auth-warning -p $2 -a \"\$(cat /run/storefront/password)\" $3"
}

replica_follows() {
  case $(redis $1 6379 role | tr '\n' ' ') in
    'slave '*' connected '*) true ;;
    *) false ;;
  esac
}

# Images, passwords, and the users of NATS
docker compose build
docker compose run --rm -T --no-deps configure
docker compose kill -s HUP nats nats-2 nats-3

# etcd
for node in etcd-1 etcd-2 etcd-3; do replace $node; done

# PostgreSQL: the standbys, a switchover, the old primary, and the proxies in front
eventually another_leads none
eventually standbys_follow
old=$primary
for node in postgres postgres-2 postgres-3; do
  test $node = $old && continue
  replace $node
  eventually standbys_follow
done
eventually switched_over $old
eventually standbys_follow
replace $old
eventually standbys_follow
roll postgres-primary

# NATS
for node in nats nats-2 nats-3; do replace $node; done

# Redis: the replicas, a failover, the old primary
old=
for node in redis redis-2 redis-3; do
  case $(redis $node 6379 role) in master*) old=$node ;; esac
done
for node in redis redis-2 redis-3; do
  test $node = "$old" && continue
  replace $node
  eventually replica_follows $node
done
eventually redis sentinel-1 26379 'sentinel failover shop'
eventually replica_follows $old
replace $old
eventually replica_follows $old
for node in sentinel-1 sentinel-2 sentinel-3; do replace $node; done

# Our services
docker compose run --rm -T --no-deps migrate
for service in catalog cart orders identity notifier gateway; do roll $service; done
docker compose up --detach
