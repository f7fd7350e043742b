import type { Messaging } from './messaging.ts'
import type { RedisClient } from './redis.ts'

const PATIENCE_MS = 3000

/**
 * Waits a little for what is usually there in a moment, before a copy listens: as soon as it does, the gateway sends it requests,
 * and those that ask another service would fail while the other copies could have answered them. A service lives without NATS and
 * Redis, so that after 3 s it goes on without.
 *
 * Resolves after everything that hears questions and signals is known to NATS, when it was registered before.
 */
export async function firstConnections({
  messaging,
  redis,
}: {
  messaging: Messaging
  redis?: RedisClient
}): Promise<void> {
  const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS).unref())
  const heard = messaging.opened.then((connection) => connection.flush())
  await Promise.race([Promise.allSettled([heard, ...(redis ? [redisReady(redis)] : [])]), patience])
}

function redisReady(redis: RedisClient): Promise<void> {
  return new Promise((resolve) => {
    if (redis.status === 'ready') resolve()
    else redis.once('ready', () => resolve())
  })
}
