import { isOutage } from '@storefront/postgres'
import type { Timer } from '@storefront/service'
import { startClaims, type Polling } from './claims.ts'

interface JobQueue<Job> extends Polling {
  /** The maximum of concurrent jobs in this process. */
  atOnce: number
  /** Claims due jobs for this replica, the longest waiting first. They begin in the order of the result. */
  claim: (limit: number) => Promise<Job[]>
  /** Does the work outside of any transaction, and records its result. A job may run again after a crash. */
  run: (job: Job) => Promise<void>
  /** What identifies a job in the log. */
  about: (job: Job) => object
  /** Without it, `claim` makes jobs due again at a deadline that their work always meets. */
  lease?: {
    leaseMs: number
    /** Extends the leases of running jobs, of which there is at least one. */
    renew: (running: Job[]) => Promise<void>
    /**
     * Makes jobs of a dead replica due again.
     * @param running jobs of this replica, whose leases may have ended because the database was not available
     * @returns whether there were any
     */
    reclaim: (running: Job[]) => Promise<boolean>
  }
}

/**
 * Works on claimed jobs, several at once and none twice at the same time. Every replica does so; leases separate them.
 * @returns wake it when a job was queued; its stop claims nothing more and waits for the running jobs
 */
export function processJobs<Job>(queue: JobQueue<Job>): Timer {
  const { lease, ...polling } = queue
  const { name, log, atOnce } = queue
  const running = new Map<Job, Promise<void>>()
  /** Whether the last claim may have left due jobs: otherwise a finished job need not trigger another. */
  let mayHaveMore = true
  let stopping = false

  const claims = startClaims({
    ...polling,
    claim,
    ...(lease && {
      lease: {
        leaseMs: lease.leaseMs,
        async renew() {
          if (running.size > 0) await lease.renew([...running.keys()])
        },
        reclaim: () => lease.reclaim([...running.keys()]),
      },
    }),
  })

  async function claim(): Promise<void> {
    const limit = atOnce - running.size
    mayHaveMore = true
    if (stopping || limit <= 0) return
    const claimed = await queue.claim(limit)
    mayHaveMore = claimed.length === limit
    for (const job of claimed) running.set(job, run(job))
  }

  async function run(job: Job): Promise<void> {
    try {
      await queue.run(job)
    } catch (error) {
      log[isOutage(error) ? 'warn' : 'error'](
        { err: error, queue: name, ...queue.about(job) },
        'the result of a job could not be recorded: it stays claimed until its lease ends',
      )
    } finally {
      running.delete(job)
      if (mayHaveMore) claims.wake()
    }
  }

  return {
    wake: () => claims.wake(),
    async stop() {
      stopping = true
      await claims.stopClaiming()
      await Promise.all(running.values())
      await claims.stopRenewing()
    },
  }
}
