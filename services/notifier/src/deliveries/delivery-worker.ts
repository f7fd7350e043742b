import { performance } from 'node:perf_hooks'
import { startClaims, unlessOutage } from '@storefront/jobs'
import { every } from '@storefront/service'
import { violatedConstraint } from '@storefront/postgres'
import type { NotifierContext } from '../context.ts'
import type { EndpointReader } from '../endpoints/endpoint-reader.ts'
import {
  claimDeliveries,
  reclaimDeliveries,
  releaseDeliveries,
  renewDeliveryLeases,
  type ClaimedDelivery,
} from './deliveries.queries.ts'
import { countAttempt } from './delivery-metrics.ts'
import { failuresAfter, type Outcome } from './endpoint-outcomes.ts'
import { createLanes, LANE_SIZE, type Claim } from './lanes.ts'
import { outcomeOfAttempt } from './outcome-of-attempt.ts'
import type { WebhookSender } from './send-webhook.ts'
import { signatureHeaders } from './signature.ts'
import { tracedSend } from './traced-send.ts'
import { writeOutcomes, type Written } from './write-outcomes.ts'

/** A claim of one row costs nearly as much as one of ten: under load they are combined. */
const CLAIM_GAP_MS = 20
/** Results of this period are written together: a commit costs more than the row. */
const GATHER_MS = 20
/** Pause before results are written again after a database failure. */
const NOTE_MS = 250

export interface DeliveryWorker {
  /** Looks for work now: a delivery was queued. */
  wake(): void
  /** Starts nothing more, gives running attempts `graceMs` to finish, and releases all other claims. */
  stop(graceMs: number): Promise<void>
}

/**
 * Sends the queued deliveries. Every replica runs one; claims separate them. A delivered webhook is sent again only
 * when this process dies, or loses the database for longer than a lease, before it could record that: with the same
 * webhook-id, by which the receiver recognizes it.
 */
export function startDeliveryWorker(
  context: NotifierContext & {
    sender: WebhookSender
    endpoints: EndpointReader
    /** The timeout of a probe of an open circuit. */
    probeMs: number
    /** Before this nothing is sent: it would be signed with the wrong secret. */
    secretsKnown: Promise<void>
  },
): DeliveryWorker {
  const { db, log, clock, worker, leaseMs, pollMs, probeMs, sender, endpoints, secretsKnown } = context
  const lanes = createLanes(deliver)
  /**
   * The claims of this replica, each with the time (of `performance.now()`) until which no other replica can have it.
   */
  const held = new Map<string, number>()
  /** Endpoints that were found broken while a claim was running, which may not know it. */
  const stopped = new Set<string>()
  const aborted = new AbortController()
  let outcomes: Outcome[] = []
  let stopping = false

  const queue = { name: 'deliveries', log }
  const noting = every(NOTE_MS, 'record results of deliveries', log, () => unlessOutage(queue, note))
  const claiming = startClaims({
    ...queue,
    everyMs: pollMs,
    gapMs: CLAIM_GAP_MS,
    ready: secretsKnown,
    claim,
    lease: { leaseMs, renew, reclaim },
  })

  async function claim(): Promise<void> {
    while (!stopping) {
      await release(lanes.reopen())
      const unsignable = await endpoints.unsignable()
      const counts = lanes.counts().filter(({ endpointId }) => !unsignable.includes(endpointId))
      // A lane that counts as full: a delivery that cannot be signed waits in the table, where another replica may have
      // the key for it.
      counts.push(...unsignable.map((endpointId) => ({ endpointId, count: LANE_SIZE })))
      stopped.clear()
      const leasedUntilMs = performance.now() + leaseMs
      const claimed = await claimOnce({
        held: counts,
        limit: LANE_SIZE,
        worker,
        leaseMs,
        probeMs,
        now: clock.now(),
      })
      const claimedAtMs = performance.now()
      for (const delivery of claimed) {
        held.set(delivery.id, leasedUntilMs)
        lanes.add({ ...delivery, claimedAtMs })
      }
      // At once, and so never released: the other replicas wait for the result of a probe.
      for (const probe of claimed.filter((delivery) => delivery.probe)) lanes.fill(probe.endpoint_id)
      if (stopped.size > 0) await release(stopped)
      for (const endpointId of new Set(claimed.map((delivery) => delivery.endpoint_id))) lanes.fill(endpointId)
      // Fewer than fit in one lane: there were no more, or no room, and both wake the worker when that changes.
      if (claimed.length < LANE_SIZE) return
    }
  }

  /**
   * When two rows of one subject were claimed at the same moment, the other replica's claim is visible at the next
   * attempt.
   */
  async function claimOnce(wanted: Parameters<typeof claimDeliveries>[1]): Promise<ClaimedDelivery[]> {
    try {
      return await claimDeliveries(db, wanted)
    } catch (error) {
      if (violatedConstraint(error) !== 'deliveries_under_way') throw error
      return claimDeliveries(db, wanted)
    }
  }

  async function deliver(delivery: Claim): Promise<void> {
    const endpoint = await endpoints.read(delivery.endpoint_id, delivery.claimedAtMs)
    // A claim that may have ended could belong to another replica: it is released unsent.
    if (!endpoint || (held.get(delivery.id) ?? 0) <= performance.now()) {
      lanes.putBack(delivery)
      claiming.wake()
      return
    }
    const began = clock.now()
    const headers = signatureHeaders(endpoint.secrets, {
      webhookId: delivery.event_id,
      body: delivery.body,
      at: began,
    })
    const response = await tracedSend(delivery, () => sender.send(endpoint.url, headers, delivery.body, aborted.signal))
    const attempt = { began, now: clock.now(), isAborted: aborted.signal.aborted, random: Math.random() }
    const outcome = outcomeOfAttempt(delivery, response, attempt)
    lanes.setFailures(delivery.endpoint_id, (failures) => failuresAfter(failures, [outcome]))
    countAttempt(outcome)
    if (outcomes.push(outcome) === 1) setTimeout(() => noting.wake(), GATHER_MS)
  }

  async function note(): Promise<void> {
    if (outcomes.length === 0) return
    while (outcomes.length > 0) {
      const batch = outcomes
      outcomes = []
      let written: Written
      try {
        written = await writeOutcomes(db, worker, batch, clock.now())
      } catch (error) {
        outcomes = [...batch, ...outcomes]
        throw error
      }
      report(batch, written)
      for (const outcome of batch) held.delete(outcome.deliveryId)
      const broken = [...written.disabled, ...written.paused]
      for (const endpointId of broken) stopped.add(endpointId)
      try {
        await release(broken)
      } finally {
        for (const endpointId of new Set(batch.map((outcome) => outcome.endpointId))) {
          const unwritten = outcomes.filter((outcome) => outcome.endpointId === endpointId)
          // A broken endpoint has nothing waiting here: the claim lets its probes through.
          const failures = broken.includes(endpointId)
            ? 0
            : failuresAfter(written.failures.get(endpointId) ?? 0, unwritten)
          lanes.setFailures(endpointId, () => failures)
          lanes.fill(endpointId)
        }
      }
    }
    // A lane that is more than half full needs no claim: its next results trigger one.
    if (lanes.counts().some(({ count }) => count <= LANE_SIZE / 2)) claiming.wake()
  }

  function report(batch: readonly Outcome[], { disabled, paused }: Written): void {
    if (disabled.length > 0) log.error({ endpoints: disabled }, 'webhook endpoints were disabled')
    if (paused.length > 0) log.warn({ endpoints: paused }, 'webhook endpoints fail and are paused')
    const dead = batch.filter((outcome) => outcome.result === 'dead').map((outcome) => outcome.deliveryId)
    if (dead.length > 0) log.error({ deliveries: dead }, 'deliveries were given up')
  }

  /** Releases the claims that were not started. */
  async function release(endpointIds: Iterable<string>): Promise<void> {
    const ids = lanes.takeWaiting(endpointIds)
    if (ids.length === 0) return
    // First: a claim that cannot be released must not be renewed either, and becomes free when its lease ends.
    for (const id of ids) held.delete(id)
    await releaseDeliveries(db, { ids, worker })
  }

  async function renew(): Promise<void> {
    if (held.size === 0) return
    const leasedUntilMs = performance.now() + leaseMs
    for (const id of await renewDeliveryLeases(db, { ids: [...held.keys()], worker, leaseMs })) {
      if (held.has(id)) held.set(id, leasedUntilMs)
    }
  }

  async function reclaim(): Promise<boolean> {
    const freed = await reclaimDeliveries(db, { worker, held: [...held.keys()], leaseMs, now: clock.now() })
    if (freed > 0) log.warn({ deliveries: freed }, 'deliveries of a dead replica were reclaimed')
    return freed > 0
  }

  return {
    wake: () => claiming.wake(),
    async stop(graceMs) {
      stopping = true
      lanes.stop()
      await claiming.stopClaiming()
      const giveUp = setTimeout(() => aborted.abort(), graceMs)
      await lanes.idle()
      clearTimeout(giveUp)
      await Promise.all([noting.stop(), claiming.stopRenewing()])
      await unlessOutage(queue, note)
      await unlessOutage(queue, () => release(lanes.endpoints()))
      await sender.close()
    },
  }
}
