import { every, type Log } from '@storefront/service'
import { tolerateOutage } from './tolerate-outage.ts'

const MAX_RECLAIM_MS = 5000

/** For how long claimed rows belong to a replica that does not renew its claim. */
interface Lease {
  leaseMs: number
  /** Extends the leases of what this replica works on. */
  renew: () => Promise<void>
  /** Makes rows of a dead replica due again. @returns whether there were any */
  reclaim: () => Promise<boolean>
}

/** How a queue is polled. */
export interface Polling {
  /** What the rows are, as the log names them: `mails`. */
  name: string
  log: Log
  /** The polling interval, in milliseconds: it finds retries that are due, and rows of other replicas. */
  everyMs: number
  /** The minimum pause between two claims, in milliseconds: 0 by default. */
  gapMs?: number
  /** Nothing is claimed before it resolves. */
  ready?: Promise<void>
}

interface Options extends Polling {
  claim: () => Promise<void>
  /** Without it, `claim` makes rows due again at a deadline that their work always meets. */
  lease?: Lease
}

/** Claims rows of a queue for this replica, and renews its leases while it works on them. */
export function startClaims({ name, log, everyMs, gapMs = 0, ready, claim, lease }: Options) {
  let isReady = ready === undefined
  const tolerant = (work: () => Promise<void>) => () => tolerateOutage({ name, log }, work)
  const claiming = every(
    everyMs,
    `claim ${name}`,
    log,
    tolerant(async () => {
      if (isReady) await claim()
    }),
    { gapMs },
  )
  void ready?.then(() => {
    isReady = true
    claiming.wake()
  })
  const renewing =
    lease &&
    every(
      Math.ceil(lease.leaseMs / 4),
      `renew leases of ${name}`,
      log,
      tolerant(() => lease.renew()),
    )
  const reclaiming =
    lease &&
    every(
      Math.min(lease.leaseMs, MAX_RECLAIM_MS),
      `reclaim ${name}`,
      log,
      tolerant(async () => {
        if (await lease.reclaim()) claiming.wake()
      }),
    )
  reclaiming?.wake()
  return {
    /** Looks for work now: a row was queued. */
    wake: () => claiming.wake(),
    /** Claims and reclaims nothing more. */
    async stopClaiming() {
      await Promise.all([claiming.stop(), reclaiming?.stop()])
    },
    /** Lets the leases end: after the results of all claimed rows are written. */
    async stopRenewing() {
      await renewing?.stop()
    },
  }
}
