import { liveGauge } from './live-gauge.ts'

interface CountedPool {
  totalCount: number
  idleCount: number
}

interface Queue {
  waitingCount: number
}

const sum = <Counted>(pools: readonly Counted[], count: (pool: Counted) => number) =>
  pools.reduce((total, pool) => total + count(pool), 0)

/** Open connections to PostgreSQL. */
export const databaseConnections = liveGauge<CountedPool>(
  {
    name: 'storefront_database_connections',
    help: 'Open connections to PostgreSQL',
    labelNames: ['state'],
  },
  (pools) => [
    { labels: { state: 'idle' }, value: sum(pools, (pool) => pool.idleCount) },
    { labels: { state: 'busy' }, value: sum(pools, (pool) => pool.totalCount - pool.idleCount) },
  ],
)

/** Work that waits because every connection is busy. */
export const databaseWaiting = liveGauge<Queue>(
  { name: 'storefront_database_waiting', help: 'Transactions that wait for a connection to PostgreSQL' },
  (pools) => [{ value: sum(pools, (pool) => pool.waitingCount) }],
)

export const natsConnected = liveGauge<{ isConnected(): boolean }>(
  { name: 'storefront_nats_connected', help: 'Whether NATS can be reached' },
  (connections) => [{ value: Number(connections.every((connection) => connection.isConnected())) }],
)

export const redisConnected = liveGauge<{ status: string }>(
  { name: 'storefront_redis_connected', help: 'Whether Redis can be reached' },
  (clients) => [{ value: Number(clients.every((client) => client.status === 'ready')) }],
)
