import type { Messaging } from './messaging.ts'
import type { RedisClient } from '@storefront/service'

const TIMEOUT_MS = 3000

/**
 * Waits a little for connections that are usually ready in a moment, before a replica listens: as soon as it does, the
 * gateway sends it requests, and those that need another service would fail while other replicas could have served
 * them. A service can run without NATS and Redis, so it starts without them after 3 s. Resolves after all reply
 * handlers and signal subscriptions that were registered before are known to NATS.
 */
export async function firstConnections({
  messaging,
  redis,
}: {
  messaging: Messaging
  redis?: RedisClient
}): Promise<void> {
  const timeout = new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS).unref())
  const flushed = messaging.opened.then((connection) => connection.flush())
  await Promise.race([Promise.allSettled([flushed, ...(redis ? [redisReady(redis)] : [])]), timeout])
}

function redisReady(redis: RedisClient): Promise<void> {
  return new Promise((resolve) => {
    if (redis.status === 'ready') resolve()
    else redis.once('ready', () => resolve())
  })
}
