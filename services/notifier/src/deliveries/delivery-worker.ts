import { performance } from 'node:perf_hooks'
import { startClaims, unlessOutage } from '@storefront/jobs'
import { every } from '@storefront/service'
import { violatedConstraint } from '@storefront/postgres'
import type { NotifierContext } from '../context.ts'
import type { EndpointReader } from '../endpoints/endpoint-reader.ts'
import { claimDeliveries, type ClaimedDelivery } from './deliveries.queries.ts'
import { countAttempt } from './delivery-metrics.ts'
import { failuresAfter, type Outcome } from './endpoint-outcomes.ts'
import { heldClaims } from './held-claims.ts'
import { createLanes, LANE_SIZE, type Claim } from './lanes.ts'
import { outcomeOfAttempt } from './outcome-of-attempt.ts'
import { outcomeRecorder } from './record-outcomes.ts'
import type { WebhookSender } from './send-webhook.ts'
import { signatureHeaders } from './signature.ts'
import { tracedSend } from './traced-send.ts'
import type { Written } from './write-outcomes.ts'

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
  const held = heldClaims(context)
  const outcomes = outcomeRecorder(context, continueLanes)
  /** Endpoints that were found broken while a claim was running, which may not know it. */
  const stopped = new Set<string>()
  const aborted = new AbortController()
  let stopping = false

  const queue = { name: 'deliveries', log }
  const noting = every(NOTE_MS, 'record results of deliveries', log, () => unlessOutage(queue, note))
  const claiming = startClaims({
    ...queue,
    everyMs: pollMs,
    gapMs: CLAIM_GAP_MS,
    ready: secretsKnown,
    claim,
    lease: { leaseMs, renew: () => held.renew(), reclaim: () => held.reclaim() },
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
      const beganMs = performance.now()
      const claimed = await claimOnce(db, {
        held: counts,
        limit: LANE_SIZE,
        worker,
        leaseMs,
        probeMs,
        now: clock.now(),
      })
      const claimedAtMs = performance.now()
      held.add(idsOf(claimed), beganMs)
      for (const delivery of claimed) lanes.add({ ...delivery, claimedAtMs })
      // At once, and so never released: the other replicas wait for the result of a probe.
      for (const probe of claimed.filter((delivery) => delivery.probe)) lanes.fill(probe.endpoint_id)
      if (stopped.size > 0) await release(stopped)
      for (const endpointId of new Set(claimed.map((delivery) => delivery.endpoint_id))) lanes.fill(endpointId)
      // Fewer than fit in one lane: there were no more, or no room, and both wake the worker when that changes.
      if (claimed.length < LANE_SIZE) return
    }
  }

  async function deliver(delivery: Claim): Promise<void> {
    const endpoint = await endpoints.read(delivery.endpoint_id, delivery.claimedAtMs)
    // A claim that may have ended could belong to another replica: it is released unsent.
    if (!endpoint || !held.has(delivery.id)) {
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
    outcomes.add(outcome)
    if (outcomes.count() === 1) setTimeout(() => noting.wake(), GATHER_MS)
  }

  async function note(): Promise<void> {
    if (outcomes.count() === 0) return
    await outcomes.write()
    // A lane that is more than half full needs no claim: its next results trigger one.
    if (lanes.counts().some(({ count }) => count <= LANE_SIZE / 2)) claiming.wake()
  }

  /** Frees the room of written results, and stops sending to endpoints that turned out to be broken. */
  async function continueLanes(batch: readonly Outcome[], written: Written): Promise<void> {
    held.forget(batch.map((outcome) => outcome.deliveryId))
    const broken = [...written.disabled, ...written.paused]
    for (const endpointId of broken) stopped.add(endpointId)
    try {
      await release(broken)
    } finally {
      for (const endpointId of new Set(batch.map((outcome) => outcome.endpointId))) {
        // A broken endpoint has nothing waiting here: the claim lets its probes through.
        const failures = broken.includes(endpointId)
          ? 0
          : failuresAfter(written.failures.get(endpointId) ?? 0, outcomes.waitingOf(endpointId))
        lanes.setFailures(endpointId, () => failures)
        lanes.fill(endpointId)
      }
    }
  }

  /** Releases the claims that were not started. */
  const release = (endpointIds: Iterable<string>) => held.release(lanes.takeWaiting(endpointIds))

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

const idsOf = (deliveries: readonly ClaimedDelivery[]) => deliveries.map(({ id }) => id)

/** When two rows of one subject were claimed at the same moment, the other replica's claim is visible the second time. */
async function claimOnce(...wanted: Parameters<typeof claimDeliveries>): Promise<ClaimedDelivery[]> {
  try {
    return await claimDeliveries(...wanted)
  } catch (error) {
    if (violatedConstraint(error) !== 'deliveries_under_way') throw error
    return claimDeliveries(...wanted)
  }
}
