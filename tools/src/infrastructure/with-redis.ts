import { createRedis } from '@storefront/service'
import type { Redis, RedisOptions } from 'ioredis'

/**
 * Opens a connection to a Redis or a sentinel for one piece of work, without retries.
 * @param options.timeoutMs of the connection, and of each command
 * @throws Error with the reason when the server does not respond
 */
export async function withRedis<Result>(
  url: string,
  { timeoutMs, ...more }: { timeoutMs: number } & Pick<RedisOptions, 'host' | 'port' | 'username' | 'password'>,
  work: (redis: Redis) => Promise<Result>,
): Promise<Result> {
  const redis = createRedis(url, {
    ...more,
    lazyConnect: true,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    // The client keeps a timer for disconnectTimeout even when the connection closed at once; a process should not wait
    // for it.
    disconnectTimeout: 50,
  })
  let reason: Error | undefined
  redis.on('error', (error: Error) => (reason = error)) // connect() itself only reports "Connection is closed".
  try {
    await redis.connect()
    return await work(redis)
  } catch (error) {
    throw reason ?? error
  } finally {
    redis.disconnect()
  }
}
