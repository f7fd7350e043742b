import { every, isOutage, type Clock, type Log, type RedisClient, type Timer } from '@storefront/chassis'
import type { Database } from '../database.ts'
import { CLOCK_SKEW_MS, revokedSessionKey, type RevokedSession } from './session.ts'
import { forgetShared, listUnshared, markShared } from './sessions.queries.ts'

/** How long a logout can go unnoticed after Redis came back unseen, and how soon lost data is noticed. */
const REPAIR_MS = 3000
const BATCH = 1000
/** Redis writes to disk every second; a crash or a failover may lose a little more than that. */
const LOST_BY_CRASH_MS = 10 * 60_000

export interface Revocations {
  /** Tells Redis, and with it every gateway. Never throws: what Redis misses now, the repair brings later. */
  share(sessions: RevokedSession[]): Promise<void>
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

/** Keeps in Redis the sessions that were ended before their time, and repairs what Redis missed or lost. */
export function shareRevocations(context: Context): Revocations {
  const { redis, log } = context
  let reconnected = true
  const timer: Timer = every(REPAIR_MS, 'revocations', log, async () => {
    if (redis.status !== 'ready') return
    const afterReconnection = reconnected
    reconnected = false
    try {
      await repair(context, afterReconnection)
    } catch (error) {
      reconnected ||= afterReconnection
      // Redis has no error class of its own; whether it went away shows in its state.
      if (!isOutage(error) && redis.status === 'ready') throw error
      log.debug({ err: error }, 'the repair of revocations waits until its servers are back')
    }
  })
  redis.on('ready', () => {
    reconnected = true
    timer.poke()
  })
  return {
    async share(sessions) {
      if (sessions.length === 0) return
      try {
        await writeRevoked(context, sessions)
      } catch (error) {
        log.warn({ err: error }, 'a logout could not be shared at once and will be shared later')
      }
    },
    stop: () => timer.stop(),
  }
}

async function repair(context: Context, afterReconnection: boolean): Promise<void> {
  const { db, redis, namespace, clock } = context
  const now = clock.now()
  // A Redis without this mark lost everything, or is a new one.
  const mark = `${namespace}:revocations-shared`
  const lostEverything = (await redis.get(mark)) === null
  if (lostEverything || afterReconnection) {
    const revokedSince = lostEverything ? undefined : new Date(now.getTime() - LOST_BY_CRASH_MS)
    const lost = { revokedSince, sharedBefore: now, now, limit: BATCH }
    while ((await forgetShared(db, lost)) === BATCH);
  }
  let missing: RevokedSession[]
  do {
    missing = await listUnshared(db, now, BATCH)
    if (missing.length > 0) await writeRevoked(context, missing)
  } while (missing.length === BATCH)
  if (lostEverything) await redis.set(mark, now.toISOString())
}

async function writeRevoked({ db, redis, namespace, clock }: Context, sessions: RevokedSession[]): Promise<void> {
  const now = clock.now()
  await Promise.all(
    sessions.map((session) => {
      const secondsLeft = Math.ceil((session.expires_at.getTime() + CLOCK_SKEW_MS - now.getTime()) / 1000)
      return redis.set(revokedSessionKey(namespace, session.id), '1', 'EX', Math.max(1, secondsLeft))
    }),
  )
  await markShared(
    db,
    sessions.map((session) => session.id),
    now,
  )
}
