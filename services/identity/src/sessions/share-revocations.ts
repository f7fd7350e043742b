import { randomUUID } from 'node:crypto'
import { every, serverRunOf, type Clock, type Log, type RedisClient, type Timer, chunksOf } from '@storefront/service'
import { isOutage } from '@storefront/postgres'
import { sendSignal, type Messaging } from '@storefront/messaging'
import { revocationsMark, revokedKey, SessionsEnded } from '@storefront/contracts'
import { revocableApiKeys } from '../api-keys/revoked-api-keys.queries.ts'
import type { Database } from '../database.ts'
import type { Revocable, Revocations, Revoked, RevokedPage } from './revoked.ts'
import { ACCEPTED_AFTER_END_MS } from './session.ts'
import { revocableSessions } from './sessions.queries.ts'

/** The longest time until a logout that Redis missed, or lost data, is noticed. */
const REPAIR_MS = 3000
const BATCH = 1000
const ALL: readonly Revocable[] = [revocableSessions, revocableApiKeys]

/** Longer than a batch takes, and renewed by each batch: when it expires, its holder has crashed. */
const REPAIR_LEASE_SECONDS = 30

/** Renews the lease, if this replica still holds it. */
const RENEW_LEASE = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('EXPIRE', KEYS[1], ARGV[2])`

/** Ends the repair if its mark still exists: a Redis that lost the mark has also lost what was written after it. */
const END_REPAIR = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2])
return 1`

interface Context {
  db: Database
  redis: RedisClient
  messaging: Messaging
  namespace: string
  clock: Clock
  log: Log
}

/** Keeps early revocations in Redis, and repairs what Redis missed or lost. */
export function shareRevocations(context: Context): Revocations {
  const { redis, messaging, log } = context
  const stopping = new AbortController()
  const timer: Timer = every(REPAIR_MS, 'revocations', log, async () => {
    if (redis.status !== 'ready') return
    try {
      await repair(context, stopping.signal)
    } catch (error) {
      // The Redis client has no error class for outages, but its state shows whether the connection is lost.
      if (!isOutage(error) && redis.status === 'ready') throw error
      log.debug({ err: error }, 'the repair of revocations waits until Redis, NATS and PostgreSQL are reachable')
    }
  })
  redis.on('ready', () => timer.wake())

  async function shareNow(revocable: Revocable, revoked: Revoked[]): Promise<void> {
    if (revoked.length === 0) return
    for (const batch of chunksOf(revoked, BATCH)) {
      sendSignal(messaging, SessionsEnded, { ids: batch.map(({ id }) => id) })
    }
    try {
      await writeRevoked(context, revocable, revoked)
    } catch (error) {
      log.warn({ err: error }, 'a revocation could not be written to Redis now; it is retried every few seconds')
    }
  }
  return {
    share: (sessions) => shareNow(revocableSessions, sessions),
    shareApiKeys: (keys) => shareNow(revocableApiKeys, keys),
    stop() {
      stopping.abort()
      return timer.stop()
    },
  }
}

/**
 * Writes what Redis missed, or everything after a restart of its server, which may be empty or have an older state.
 * Gateways call identity until the mark names the new run.
 *
 * Everything includes revocations that are marked as shared, because they may have been sent to a former run of Redis.
 * A revocation commits before it is sent to Redis, so this either reads it or it is sent to the new run.
 */
async function repair(context: Context, stopping: AbortSignal): Promise<void> {
  const { redis, namespace } = context
  const mark = revocationsMark(namespace)
  const run = await serverRunOf(redis)
  const found = await redis.get(mark)
  if (found === run) {
    await shareAll(context, 'unshared', () => !stopping.aborted)
    return
  }
  const underRepair = `repairing ${run} `
  if (found?.startsWith(underRepair)) return

  const lease = underRepair + randomUUID()
  await redis.set(mark, lease, 'EX', REPAIR_LEASE_SECONDS)
  const mayContinue = async () =>
    !stopping.aborted && (await redis.eval(RENEW_LEASE, 1, mark, lease, REPAIR_LEASE_SECONDS)) === 1
  if ((await shareAll(context, 'all', mayContinue)) && (await shareAll(context, 'unshared', mayContinue))) {
    await redis.eval(END_REPAIR, 1, mark, lease, run)
  }
}

/**
 * @param mayContinue called before every batch
 * @returns whether it reached the end
 */
async function shareAll(
  context: Context,
  which: RevokedPage['which'],
  mayContinue: () => boolean | Promise<boolean>,
): Promise<boolean> {
  for (const revocable of ALL) {
    let after: string | undefined = ''
    while (after !== undefined) {
      if (!(await mayContinue())) return false
      const page: Revoked[] = await revocable.listRevoked(
        context.db,
        { which, after, limit: BATCH },
        context.clock.now(),
      )
      if (page.length > 0) await writeRevoked(context, revocable, page)
      after = page.length === BATCH ? page.at(-1)?.id : undefined
    }
  }
  return true
}

async function writeRevoked(
  { db, redis, namespace, clock }: Context,
  revocable: Revocable,
  revoked: Revoked[],
): Promise<void> {
  const now = clock.now()
  await Promise.all(
    revoked.map(({ id, expires_at }) => {
      const secondsLeft = Math.ceil((expires_at.getTime() + ACCEPTED_AFTER_END_MS - now.getTime()) / 1000)
      return redis.set(revokedKey(namespace, id), '1', 'EX', Math.max(1, secondsLeft))
    }),
  )
  await revocable.markShared(
    db,
    revoked.map(({ id }) => id),
    now,
  )
}
