import { performance } from 'node:perf_hooks'
import type { WorkerContext } from '../context.ts'
import { reclaimDeliveries, releaseDeliveries, renewDeliveryLeases } from './claims.queries.ts'

export type HeldClaims = ReturnType<typeof heldClaims>

/** The deliveries that this replica has claimed, and their leases. */
export function heldClaims({
  db,
  log,
  clock,
  worker,
  leaseMs,
}: Pick<WorkerContext, 'db' | 'log' | 'clock' | 'worker' | 'leaseMs'>) {
  /** Each with the time, of `performance.now()`, at which its lease ends. */
  const held = new Map<string, number>()
  const drop = (ids: readonly string[]) => ids.forEach((id) => held.delete(id))

  return {
    /** @param claimedMs when their claim began, of `performance.now()` */
    add: (ids: readonly string[], claimedMs: number) => ids.forEach((id) => held.set(id, claimedMs + leaseMs)),
    /** Whether this replica still holds the claim, so that no other can have it. */
    has: (id: string) => (held.get(id) ?? 0) > performance.now(),
    /** Drops the claims of deliveries whose result is written. */
    drop,
    /** Lets other replicas have them at once. */
    async release(ids: string[]) {
      if (ids.length === 0) return
      // First: a claim that cannot be released must not be renewed either, and becomes free when its lease ends.
      drop(ids)
      await releaseDeliveries(db, { ids, worker })
    },
    async renew() {
      if (held.size === 0) return
      const leasedUntilMs = performance.now() + leaseMs
      for (const id of await renewDeliveryLeases(db, { ids: [...held.keys()], worker, leaseMs })) {
        if (held.has(id)) held.set(id, leasedUntilMs)
      }
    },
    /** Makes deliveries of dead replicas due again. @returns whether there were any */
    async reclaim() {
      const freed = await reclaimDeliveries(db, { worker, held: [...held.keys()], leaseMs, now: clock.now() })
      if (freed > 0) log.warn({ deliveries: freed }, 'deliveries of a dead replica were reclaimed')
      return freed > 0
    },
  }
}
