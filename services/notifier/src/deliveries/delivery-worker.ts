import { performance } from 'node:perf_hooks'
import { startClaims, tolerateOutage } from '@storefront/jobs'
import { every, type Log, type Timer } from '@storefront/service'
import { violatedConstraint } from '@storefront/postgres'
import type { WorkerContext } from '../context.ts'
import { claimDeliveries, type ClaimedDelivery } from './claims.queries.ts'
import { countAttempt } from './delivery-metrics.ts'
import { failuresAfter, type Outcome } from './endpoint-outcomes.ts'
import { createEndpointQueues, QUEUE_SIZE, type Claim } from './endpoint-queues.ts'
import { heldClaims, type HeldClaims } from './held-claims.ts'
import { outcomeOfAttempt } from './outcome-of-attempt.ts'
import { outcomeRecorder, type OutcomeRecorder } from './record-outcomes.ts'
import { signatureHeaders } from './signature.ts'
import { tracedSend } from './traced-send.ts'
import type { Written } from './write-outcomes.ts'

/** A claim of one row costs nearly as much as one of ten: under load they are combined. */
const CLAIM_GAP_MS = 20
/** Results of this period are written together: a commit costs more than the row. */
const GATHER_MS = 20
/** Pause before results are written again after a database failure. */
const NOTE_MS = 250

/**
 * Sends the queued deliveries. Every replica runs one; claims separate them. A delivered webhook is sent again only
 * when this process dies, or loses the database for longer than a lease, before it could record that: with the same
 * webhook-id, by which the receiver recognizes it.
 */
export class DeliveryWorker {
  readonly #context: WorkerContext
  readonly #endpointQueues = createEndpointQueues((delivery) => this.#deliver(delivery))
  readonly #held: HeldClaims
  readonly #outcomes: OutcomeRecorder
  /** Endpoints that were found broken while a claim was running: it may have claimed deliveries to them. */
  readonly #stopped = new Set<string>()
  readonly #aborted = new AbortController()
  readonly #queue: { name: string; log: Log }
  readonly #noting: Timer
  readonly #claiming: ReturnType<typeof startClaims>
  #stopping = false

  constructor(context: WorkerContext) {
    const { log, leaseMs, pollMs, credentials } = context
    this.#context = context
    this.#held = heldClaims(context)
    this.#outcomes = outcomeRecorder(context, (batch, written) => this.#continueQueues(batch, written))
    this.#queue = { name: 'deliveries', log }
    this.#noting = every(NOTE_MS, 'record results of deliveries', log, () => this.#writeOutcomes())
    this.#claiming = startClaims({
      ...this.#queue,
      everyMs: pollMs,
      gapMs: CLAIM_GAP_MS,
      // Before that a delivery would be signed with the wrong secret.
      ready: credentials.known,
      claim: () => this.#claim(),
      lease: { leaseMs, renew: () => this.#held.renew(), reclaim: () => this.#held.reclaim() },
    })
  }

  /** Looks for work now: a delivery was queued. */
  wake(): void {
    this.#claiming.wake()
  }

  /** Starts nothing more, gives running attempts `graceMs` to finish, and releases all other claims. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true
    this.#endpointQueues.stop()
    await this.#claiming.stopClaiming()
    const giveUp = setTimeout(() => this.#aborted.abort(), graceMs)
    await this.#endpointQueues.idle()
    clearTimeout(giveUp)
    await Promise.all([this.#noting.stop(), this.#claiming.stopRenewing()])
    await this.#writeOutcomes()
    await tolerateOutage(this.#queue, () => this.#release(this.#endpointQueues.endpoints()))
    await this.#context.sender.close()
  }

  async #claim(): Promise<void> {
    const { db, clock, worker, leaseMs, probeMs, endpoints } = this.#context
    while (!this.#stopping) {
      await this.#release(this.#endpointQueues.reopen())
      const unsignable = await endpoints.unsignable()
      const counts = this.#endpointQueues.counts().filter(({ endpointId }) => !unsignable.includes(endpointId))
      // Their queues count as full: a delivery that cannot be signed waits in the table, where another replica may have
      // the key for it.
      counts.push(...unsignable.map((endpointId) => ({ endpointId, count: QUEUE_SIZE })))
      this.#stopped.clear()
      const beganMs = performance.now()
      const claimed = await claimOnce(db, {
        held: counts,
        limit: QUEUE_SIZE,
        worker,
        leaseMs,
        probeMs,
        now: clock.now(),
      })
      const claimedAtMs = performance.now()
      this.#held.add(idsOf(claimed), beganMs)
      for (const delivery of claimed) this.#endpointQueues.add({ ...delivery, beganMs, claimedAtMs })
      // A probe starts at once, so that it is never released: the other replicas wait for its result.
      for (const probe of claimed.filter((delivery) => delivery.probe)) this.#endpointQueues.fill(probe.endpoint_id)
      if (this.#stopped.size > 0) await this.#release(this.#stopped)
      const endpointIds = new Set(claimed.map((delivery) => delivery.endpoint_id))
      for (const endpointId of endpointIds) this.#endpointQueues.fill(endpointId)
      // Fewer rows than fit in one queue: there were no more, or there was no room, and the worker is woken when that
      // changes.
      if (claimed.length < QUEUE_SIZE) return
    }
  }

  async #deliver(delivery: Claim): Promise<void> {
    const { clock, sender, endpoints } = this.#context
    const endpoint = await endpoints.read(delivery)
    // A claim that may have ended could belong to another replica: it is released unsent.
    if (!endpoint || !this.#held.has(delivery.id)) {
      this.#endpointQueues.putBack(delivery)
      this.#claiming.wake()
      return
    }
    const began = clock.now()
    const headers = signatureHeaders(endpoint.secrets, {
      webhookId: delivery.event_id,
      body: delivery.body,
      at: began,
    })
    const { signal } = this.#aborted
    const { url } = endpoint
    const response = await tracedSend(delivery, () => sender.send(url, headers, delivery.body, signal))
    const attempt = { url, began, now: clock.now(), isAborted: signal.aborted, random: Math.random() }
    const outcome = outcomeOfAttempt(delivery, response, attempt)
    this.#endpointQueues.setFailures(delivery.endpoint_id, (failures) => failuresAfter(failures, [outcome]))
    countAttempt(outcome)
    this.#outcomes.add(outcome)
    if (this.#outcomes.count() === 1) setTimeout(() => this.#noting.wake(), GATHER_MS)
  }

  #writeOutcomes(): Promise<void> {
    return tolerateOutage(this.#queue, async () => {
      if (this.#outcomes.count() === 0) return
      await this.#outcomes.write()
      // A queue that is more than half full needs no claim: its next results trigger one.
      if (this.#endpointQueues.counts().some(({ count }) => count <= QUEUE_SIZE / 2)) this.#claiming.wake()
    })
  }

  /** Frees the room of written results, and stops sending to endpoints that turned out to be broken. */
  async #continueQueues(batch: readonly Outcome[], written: Written): Promise<void> {
    this.#held.drop(batch.map((outcome) => outcome.deliveryId))
    const broken = [...written.disabled, ...written.paused]
    for (const endpointId of broken) this.#stopped.add(endpointId)
    try {
      await this.#release(broken)
    } finally {
      for (const endpointId of new Set(batch.map((outcome) => outcome.endpointId))) {
        // A broken endpoint has nothing waiting here: the claim lets its probes through.
        const failures = broken.includes(endpointId)
          ? 0
          : failuresAfter(written.failures.get(endpointId) ?? 0, this.#outcomes.waitingOf(endpointId))
        this.#endpointQueues.setFailures(endpointId, () => failures)
        this.#endpointQueues.fill(endpointId)
      }
    }
  }

  /** Releases the claims that were not started. */
  #release(endpointIds: Iterable<string>): Promise<void> {
    return this.#held.release(this.#endpointQueues.takeWaiting(endpointIds))
  }
}

const idsOf = (deliveries: readonly ClaimedDelivery[]) => deliveries.map(({ id }) => id)

/**
 * When two rows of one subject were claimed at the same moment, the other replica's claim is visible the second time.
 */
async function claimOnce(...wanted: Parameters<typeof claimDeliveries>): Promise<ClaimedDelivery[]> {
  try {
    return await claimDeliveries(...wanted)
  } catch (error) {
    if (violatedConstraint(error) !== 'deliveries_under_way') throw error
    return claimDeliveries(...wanted)
  }
}
