import type { Redis } from 'ioredis'
import { createRedis } from './create-redis.ts'
import type { Log } from './log.ts'
import { redisConnected } from './metrics/connection-metrics.ts'

export type RedisClient = Redis

/**
 * A Redis that hangs for so long counts as down: commands fail at once until it replies on a new connection. Longer, and
 * a purchase would wait for it several times, in one service after the other.
 */
const SILENCE_MS = 500
/** A silent Redis is noticed also while no request needs it, so that the next one does not wait. */
const PING_EVERY_MS = 500

/**
 * Opens Redis; `createRedis` describes its addresses. A command fails within half a second when Redis is down or hangs,
 * because every caller has a fallback; the client keeps reconnecting for as long as the process lives.
 */
export function openRedis(options: { url: string; name: string; log: Log }): RedisClient {
  let reported = false
  const redis = createRedis(options.url, {
    connectionName: options.name,
    enableAutoPipelining: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: SILENCE_MS,
    socketTimeout: SILENCE_MS,
    connectTimeout: 2000,
    retryStrategy: (attempt) => Math.min(50 * attempt, 250),
    // The server became a replica in a failover: the address, or the sentinels, lead to the new primary.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  })
  const pings = setInterval(() => {
    if (redis.status === 'ready') redis.ping().catch(() => {})
  }, PING_EVERY_MS).unref()
  redis.on('end', () => clearInterval(pings))
  redis.on('end', redisConnected.watch(redis))
  redis.on('error', (error: Error) => {
    if (!reported) options.log.warn({ err: error }, 'Redis cannot be reached; continuing without it')
    reported = true
  })
  redis.on('ready', () => {
    if (reported) options.log.info('Redis is connected again')
    reported = false
  })
  return redis
}

const UNNAMED_RUN = 'unnamed'

/**
 * Names the run of the server behind an open connection: it differs after every start and every failover. Where that
 * cannot be determined, all runs have the same name.
 * @throws Error when the server does not reply
 */
export async function serverRunOf(redis: RedisClient): Promise<string> {
  try {
    return /^run_id:(\w+)/m.exec(await redis.info('server'))?.[1] ?? UNNAMED_RUN
  } catch (error) {
    if (error instanceof Error && /^NOPERM|unknown command/i.test(error.message)) return UNNAMED_RUN
    throw error
  }
}
