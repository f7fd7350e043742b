import { performance } from 'node:perf_hooks'
import { every } from '@storefront/service'
import { transaction, violatedConstraint } from '@storefront/postgres'
import type { NotifierContext } from '../context.ts'
import type { EndpointReader } from '../endpoints/endpoint-reader.ts'
import {
  disableEndpoints,
  disableEndpointsFailingSince,
  noteEndpointsFail,
  noteEndpointsWork,
} from '../endpoints/endpoints.queries.ts'
import { startLeasedWork, unlessOutage } from '../leased-work.ts'
import {
  claimDeliveries,
  noteOutcomes,
  reclaimDeliveries,
  releaseDeliveries,
  renewDeliveryLeases,
  type ClaimedDelivery,
} from './deliveries.queries.ts'
import { OPENS_AFTER, type EndpointOutcome } from './circuit.ts'
import { countAttempt } from './delivery-metrics.ts'
import { failuresAfter, outcomesOf, type Outcome } from './endpoint-outcomes.ts'
import { nextAttemptAt, parseRetryAfter } from './retry-schedule.ts'
import type { WebhookResponse, WebhookSender } from './send-webhook.ts'
import { signatureHeaders } from './signature.ts'
import { tracedSend } from './traced-send.ts'

/** Concurrent deliveries to one endpoint: a slow one fills only its own lane. */
const CONCURRENCY = 8
/** Claimed for one endpoint, being sent or next: a busy database must not leave the lane idle. */
const CLAIMED = 16 * CONCURRENCY
/** Results of this period are written together: a commit costs more than the row. */
const GATHER_MS = 20
/** Pause before results are written again after a database failure. */
const NOTE_MS = 250
const DISABLE_AFTER_MS = 5 * 24 * 3600 * 1000
const GONE = 410

export interface DeliveryWorker {
  /** Looks for work now: a delivery was queued. */
  wake(): void
  /** Starts nothing more, gives running attempts `graceMs` to finish, and releases all other claims. */
  stop(graceMs: number): Promise<void>
}
/** A claim of one row costs nearly as much as one of ten: under load they are combined. */
const CLAIM_GAP_MS = 20

interface Claim extends ClaimedDelivery {
  /** The cached data of the endpoint may be out of date for it. */
  claimedAtMs: number
}

interface Lane {
  waiting: Claim[]
  running: number
  /** Nothing may be sent any more: waiting claims are released. */
  isClosed: boolean
  /** In a row, as this replica sees it: when they suffice to open a circuit, sending stops until they are written. */
  failures: number
}

/** The state of the endpoints after the results were written. */
interface Written {
  /** Paused or disabled because of these results. */
  disabled: string[]
  paused: string[]
  /** In a row, over all replicas; 0 for an endpoint that is missing here. */
  failures: Map<string, number>
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
  const lanes = new Map<string, Lane>()
  /**
   * The claims of this replica, each with the time (of `performance.now()`) until which no other replica can have it.
   */
  const held = new Map<string, number>()
  /** Endpoints that were found broken while a claim was running, which may not know it. */
  const stopped = new Set<string>()
  const running = new Set<Promise<void>>()
  const aborted = new AbortController()
  let outcomes: Outcome[] = []
  let stopping = false

  const queue = { name: 'deliveries', log }
  const noting = every(NOTE_MS, 'record results of deliveries', log, () => unlessOutage(queue, note))
  const claiming = startLeasedWork({
    ...queue,
    pollMs,
    claimGapMs: CLAIM_GAP_MS,
    leaseMs,
    ready: secretsKnown,
    claim,
    renew,
    reclaim,
  })

  async function claim(): Promise<void> {
    while (!stopping) {
      await clearClosedLanes()
      const unsignable = await endpoints.unsignable()
      const counts = [...lanes]
        .filter(([endpointId]) => !unsignable.includes(endpointId))
        .map(([endpointId, lane]) => ({ endpointId, count: lane.waiting.length + lane.running }))
      // A lane that counts as full: a delivery that cannot be signed waits in the table, where another replica may have
      // the key for it.
      counts.push(...unsignable.map((endpointId) => ({ endpointId, count: CLAIMED })))
      stopped.clear()
      const leasedUntilMs = performance.now() + leaseMs
      const claimed = await claimOnce({
        held: counts,
        limit: CLAIMED,
        worker,
        leaseMs,
        probeMs,
        now: clock.now(),
      })
      const claimedAtMs = performance.now()
      for (const delivery of claimed) {
        held.set(delivery.id, leasedUntilMs)
        laneOf(delivery).waiting.push({ ...delivery, claimedAtMs })
      }
      // At once, and so never released: the other replicas wait for the result of a probe.
      for (const probe of claimed.filter((delivery) => delivery.probe)) fill(probe.endpoint_id)
      if (stopped.size > 0) await release(stopped)
      for (const endpointId of new Set(claimed.map((delivery) => delivery.endpoint_id))) fill(endpointId)
      // Fewer than fit in one lane: there were no more, or no room, and both wake the worker when that changes.
      if (claimed.length < CLAIMED) return
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

  function laneOf({ endpoint_id: id }: ClaimedDelivery): Lane {
    const lane = lanes.get(id) ?? { waiting: [], running: 0, isClosed: false, failures: 0 }
    lanes.set(id, lane)
    return lane
  }

  async function clearClosedLanes(): Promise<void> {
    const closed = [...lanes].filter(([, lane]) => lane.isClosed)
    // Reopened before the first of them is released: releasing closes the lane again.
    for (const [, lane] of closed) lane.isClosed = false
    await release(closed.map(([endpointId]) => endpointId))
  }

  function fill(endpointId: string): void {
    const lane = lanes.get(endpointId)
    while (lane && !stopping && !lane.isClosed) {
      const hasRoom = lane.running < CONCURRENCY && lane.failures < OPENS_AFTER
      if (!hasRoom && lane.waiting[0]?.probe !== true) return
      const delivery = lane.waiting.shift()
      if (!delivery) return
      lane.running++
      const attempt = deliver(lane, delivery).finally(() => {
        lane.running--
        running.delete(attempt)
        fill(endpointId)
      })
      running.add(attempt)
    }
  }

  async function deliver(lane: Lane, delivery: Claim): Promise<void> {
    const endpoint = await endpoints.read(delivery.endpoint_id, delivery.claimedAtMs)
    // A claim that may have ended could belong to another replica: it is released unsent.
    if (!endpoint || (held.get(delivery.id) ?? 0) <= performance.now()) {
      lane.waiting.unshift(delivery)
      lane.isClosed = true
      claiming.wake()
      return
    }
    const at = clock.now()
    const headers = signatureHeaders(endpoint.secrets, {
      webhookId: delivery.event_id,
      body: delivery.body,
      at,
    })
    const response = await tracedSend(delivery, () => sender.send(endpoint.url, headers, delivery.body, aborted.signal))
    const outcome = outcomeOf(delivery, at, response)
    lane.failures = failuresAfter(lane.failures, [outcome])
    countAttempt(outcome)
    if (outcomes.push(outcome) === 1) setTimeout(() => noting.wake(), GATHER_MS)
  }

  function outcomeOf(delivery: ClaimedDelivery, at: Date, webhook: WebhookResponse): Outcome {
    const { status, error, answer: response, durationMs, retryAfter } = webhook
    const { id: deliveryId, endpoint_id: endpointId, replays, probe } = delivery
    const now = clock.now()
    const retryAfterMs = parseRetryAfter(retryAfter, now)
    const kept = {
      deliveryId,
      endpointId,
      replays,
      probe,
      at,
      durationMs,
      status,
      error,
      answer: response,
      retryAfterMs,
    }
    if (error === null) return { ...kept, failed: false, result: 'delivered', nextAttemptAt: null }
    // Interrupted by our own stop: the next holder retries at once.
    if (status === null && aborted.signal.aborted) {
      return { ...kept, failed: false, result: 'waiting', nextAttemptAt: now }
    }
    const next = status === GONE ? undefined : nextAttemptAt(now, delivery.failures + 1, retryAfterMs, Math.random())
    return next
      ? { ...kept, failed: true, result: 'waiting', nextAttemptAt: next }
      : { ...kept, failed: true, result: 'dead', nextAttemptAt: null }
  }

  async function note(): Promise<void> {
    if (outcomes.length === 0) return
    while (outcomes.length > 0) {
      const batch = outcomes
      outcomes = []
      let written: Written
      try {
        written = await write(batch)
      } catch (error) {
        outcomes = [...batch, ...outcomes]
        throw error
      }
      const { disabled, paused, failures } = written
      if (disabled.length > 0) log.error({ endpoints: disabled }, 'webhook endpoints were disabled')
      if (paused.length > 0) log.warn({ endpoints: paused }, 'webhook endpoints fail and are paused')
      const dead = batch.filter((outcome) => outcome.result === 'dead').map((outcome) => outcome.deliveryId)
      if (dead.length > 0) log.error({ deliveries: dead }, 'deliveries were given up')
      for (const outcome of batch) held.delete(outcome.deliveryId)
      const broken = [...disabled, ...paused]
      for (const endpointId of broken) stopped.add(endpointId)
      try {
        await release(broken)
      } finally {
        for (const endpointId of new Set(batch.map((outcome) => outcome.endpointId))) {
          const lane = lanes.get(endpointId)
          const unwritten = outcomes.filter((outcome) => outcome.endpointId === endpointId)
          // A broken endpoint has nothing waiting here: the claim lets its probes through.
          if (lane)
            lane.failures = broken.includes(endpointId) ? 0 : failuresAfter(failures.get(endpointId) ?? 0, unwritten)
          fill(endpointId)
        }
      }
    }
    // A lane that is more than half full needs no claim: its next results trigger one.
    if ([...lanes.values()].some((lane) => lane.waiting.length + lane.running <= CLAIMED / 2)) claiming.wake()
  }

  async function write(batch: Outcome[]): Promise<Written> {
    const now = clock.now()
    const outcomes = outcomesOf(batch)
    const failing = outcomes.filter((item) => item.failures > 0 || item.probe !== undefined)
    const gone = [...new Set(batch.filter(({ status }) => status === GONE).map(({ endpointId }) => endpointId))]
    const idsOf = (items: EndpointOutcome[]) => items.map((item) => item.endpointId)
    return transaction(db, async (tx) => {
      await noteOutcomes(tx, worker, batch, now)
      if (failing.length === 0) {
        await noteEndpointsWork(tx, idsOf(outcomes))
        return { disabled: [], paused: [], failures: new Map() }
      }
      const { failures, paused } = await noteEndpointsFail(tx, outcomes, now)
      const since = new Date(now.getTime() - DISABLE_AFTER_MS)
      const failingTooLong = await disableEndpointsFailingSince(tx, idsOf(failing), { since, now })
      const rejected = gone.length > 0 ? await disableEndpoints(tx, gone, 'it responded with 410 Gone', now) : []
      return { disabled: [...failingTooLong, ...rejected], paused, failures }
    })
  }

  /** Releases the claims that were not started. */
  async function release(endpointIds: Iterable<string>): Promise<void> {
    const ids = [...endpointIds].flatMap((id) => lanes.get(id)?.waiting.splice(0) ?? []).map((delivery) => delivery.id)
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
      await claiming.stopClaiming()
      const giveUp = setTimeout(() => aborted.abort(), graceMs)
      await Promise.all(running)
      clearTimeout(giveUp)
      await Promise.all([noting.stop(), claiming.stopRenewing()])
      await unlessOutage(queue, note)
      await unlessOutage(queue, () => release(lanes.keys()))
      await sender.close()
    },
  }
}
