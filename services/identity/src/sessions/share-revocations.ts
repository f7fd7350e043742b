import { randomUUID } from 'node:crypto'
import { every, isOutage, serverRunOf, type Clock, type Log, type RedisClient, type Timer } from '@storefront/chassis'
import { revocationsMark, revokedKey } from '@storefront/contracts'
import { revocableApiKeys } from '../api-keys/revoked-api-keys.queries.ts'
import type { Database } from '../database.ts'
import type { Revocable, Revoked } from './revoked.ts'
import { TAKEN_AFTER_END_MS } from './session.ts'
import { revocableSessions } from './sessions.queries.ts'

/** How long a logout can go unnoticed that Redis missed, and how soon lost data is noticed. */
const REPAIR_MS = 3000
const BATCH = 1000
const ALL: readonly Revocable[] = [revocableSessions, revocableApiKeys]

/** Longer than a repair takes: then whoever began it has crashed, and another copy begins anew. */
const REPAIR_LEASE_SECONDS = 30

/** Only while the mark is there that the repair began with: without it, what was written since is lost as well. */
const END_REPAIR = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2])
return 1`

export interface Revocations {
  /** Tells Redis, and with it every gateway. Never throws: what Redis misses now, the repair brings later. */
  share(sessions: Revoked[]): Promise<void>
  /** The same for secret keys. */
  shareApiKeys(keys: Revoked[]): Promise<void>
  /** Stops the repair and waits for a run that is under way. */
  stop(): Promise<void>
}

interface Context {
  db: Database
  redis: RedisClient
  namespace: string
  clock: Clock
  log: Log
}

/** Keeps in Redis what was ended before its time, and repairs what Redis missed or lost. */
export function shareRevocations(context: Context): Revocations {
  const { redis, log } = context
  const timer: Timer = every(REPAIR_MS, 'revocations', log, async () => {
    if (redis.status !== 'ready') return
    try {
      await repair(context)
    } catch (error) {
      // Redis has no error class of its own; whether it went away shows in its state.
      if (!isOutage(error) && redis.status === 'ready') throw error
      log.debug({ err: error }, 'the repair of revocations waits until its servers are back')
    }
  })
  redis.on('ready', () => timer.poke())

  async function shareNow(revocable: Revocable, revoked: Revoked[]): Promise<void> {
    if (revoked.length === 0) return
    try {
      await writeRevoked(context, revocable, revoked)
    } catch (error) {
      log.warn({ err: error }, 'a revocation could not be shared at once and will be shared later')
    }
  }
  return {
    share: (sessions) => shareNow(revocableSessions, sessions),
    shareApiKeys: (keys) => shareNow(revocableApiKeys, keys),
    stop: () => timer.stop(),
  }
}

/**
 * Brings what Redis missed; and everything when its server was started since, because it then may have come back empty,
 * or as it was some time ago. Gateways ask identity until the mark names the new run.
 */
async function repair(context: Context): Promise<void> {
  const { db, redis, namespace, clock } = context
  const now = clock.now()
  const mark = revocationsMark(namespace)
  const run = await serverRunOf(redis)
  const found = await redis.get(mark)
  if (found === run) return shareMissing(context, now)
  const underRepair = `repairing ${run} `
  if (found?.startsWith(underRepair)) return

  const lease = underRepair + randomUUID()
  await redis.set(mark, lease, 'EX', REPAIR_LEASE_SECONDS)
  for (const revocable of ALL) {
    while ((await revocable.forgetShared(db, now, BATCH)) === BATCH);
  }
  await shareMissing(context, now)
  await redis.eval(END_REPAIR, 1, mark, lease, run)
}

async function shareMissing(context: Context, now: Date): Promise<void> {
  for (const revocable of ALL) {
    let missing: Revoked[]
    do {
      missing = await revocable.listUnshared(context.db, now, BATCH)
      if (missing.length > 0) await writeRevoked(context, revocable, missing)
    } while (missing.length === BATCH)
  }
}

async function writeRevoked(
  { db, redis, namespace, clock }: Context,
  revocable: Revocable,
  revoked: Revoked[],
): Promise<void> {
  const now = clock.now()
  await Promise.all(
    revoked.map(({ id, expires_at }) => {
      const secondsLeft = Math.ceil((expires_at.getTime() + TAKEN_AFTER_END_MS - now.getTime()) / 1000)
      return redis.set(revokedKey(namespace, id), '1', 'EX', Math.max(1, secondsLeft))
    }),
  )
  await revocable.markShared(
    db,
    revoked.map(({ id }) => id),
    now,
  )
}
