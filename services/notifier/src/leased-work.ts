import { every, type Log } from '@storefront/service'
import { isOutage } from '@storefront/postgres'

const MAX_RECLAIM_MS = 5000

export interface LeasedWork {
  /** Looks for work now: a row was queued. */
  wake(): void
  /** Claims and reclaims nothing more. */
  stopClaiming(): Promise<void>
  /** Lets the leases end: after the results of all claimed rows are written. */
  stopRenewing(): Promise<void>
}

interface Options {
  /** What the rows are, as the log names them. */
  name: string
  log: Log
  pollMs: number
  /** The minimum pause between two claims. */
  claimGapMs: number
  leaseMs: number
  /** Nothing is claimed before. */
  ready: Promise<void>
  claim: () => Promise<void>
  renew: () => Promise<void>
  /** @returns whether rows of a dead replica became due */
  reclaim: () => Promise<boolean>
}

/**
 * Claims rows of a queue for this replica and renews its leases while it works. Rows of a replica that died become due
 * again.
 */
export function startLeasedWork({
  name,
  log,
  pollMs,
  claimGapMs,
  leaseMs,
  ready,
  claim,
  renew,
  reclaim,
}: Options): LeasedWork {
  let isReady = false
  const tolerant = (work: () => Promise<void>) => () => unlessOutage({ name, log }, work)
  const claiming = every(
    pollMs,
    `claim ${name}`,
    log,
    tolerant(async () => {
      if (isReady) await claim()
    }),
    { gapMs: claimGapMs },
  )
  const renewing = every(Math.ceil(leaseMs / 4), `renew leases of ${name}`, log, tolerant(renew))
  const reclaiming = every(
    Math.min(leaseMs, MAX_RECLAIM_MS),
    `reclaim ${name}`,
    log,
    tolerant(async () => {
      if (await reclaim()) claiming.wake()
    }),
  )
  void ready.then(() => {
    isReady = true
    claiming.wake()
  })
  reclaiming.wake()
  return {
    wake: () => claiming.wake(),
    async stopClaiming() {
      await Promise.all([claiming.stop(), reclaiming.stop()])
    },
    stopRenewing: () => renewing.stop(),
  }
}

/** Queued rows wait until the database is back. */
export async function unlessOutage(
  { name, log }: { name: string; log: Log },
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!isOutage(error)) throw error
    log.debug({ err: error }, `${name} wait until the database is back`)
  }
}
