import { performance } from 'node:perf_hooks'
import { every, isOutage, transaction, violatedConstraint } from '@storefront/chassis'
import type { NotifierContext } from '../context.ts'
import type { EndpointReader } from '../endpoints/endpoint-reader.ts'
import {
  disableEndpoints,
  disableEndpointsFailingSince,
  noteEndpointsFail,
  noteEndpointsWork,
} from '../endpoints/endpoints.queries.ts'
import {
  claimDeliveries,
  noteOutcomes,
  reclaimDeliveries,
  releaseDeliveries,
  renewDeliveryLeases,
  type ClaimedDelivery,
} from './deliveries.queries.ts'
import { OPENS_AFTER, type EndpointNews } from './circuit.ts'
import { countAttempt } from './delivery-metrics.ts'
import { failuresAfter, newsOf, type Outcome } from './endpoint-news.ts'
import { nextAttemptAt, parseRetryAfter } from './retry-schedule.ts'
import type { WebhookAnswer, WebhookSender } from './send-webhook.ts'
import { signatureHeaders } from './signature.ts'
import { tracedSend } from './traced-send.ts'

/** Deliveries under way to one endpoint at a time: a slow one uses up its own lane and nobody else's. */
const CONCURRENCY = 8
/** Claimed for one endpoint, under way or next: a busy database must not leave the lane idle. */
const CLAIMED = 16 * CONCURRENCY
const SWEEP_MS = 1000
/** Outcomes of this long are written together: a commit costs more than the note. */
const GATHER_MS = 20
/** Pause before outcomes are written again after the database was away. */
const NOTE_MS = 250
const DISABLE_AFTER_MS = 5 * 24 * 3600 * 1000
const GONE = 410

export interface DeliveryWorker {
  /** Looks for work now: something was queued. */
  poke(): void
  /** Begins nothing more, gives running attempts `graceMs` to finish, and gives everything else back. */
  stop(graceMs: number): Promise<void>
}
/** A claim of one row costs hardly less than one of ten: under load they come together. */
const CLAIM_GAP_MS = 20

interface Claim extends ClaimedDelivery {
  /** What is known of the endpoint from before may be wrong for it. */
  claimedAtMs: number
}

interface Lane {
  waiting: Claim[]
  running: number
  /** Nothing may be sent any more: what waits is given back. */
  isClosed: boolean
  /** In a row, as this copy sees it: so many as open a circuit end the sending until they are written down. */
  failures: number
}

/** What is known of the endpoints of outcomes once these are written down. */
interface Written {
  /** They get nothing now, because of these outcomes. */
  disabled: string[]
  paused: string[]
  /** In a row, over all copies; of one that is not named there are none. */
  failures: Map<string, number>
}

/**
 * Sends what the queue holds. Every copy of the service runs one; the queue keeps them apart. What a receiver
 * accepted is sent again only when this process dies, or loses the database for longer than a lease, before it could
 * write that down: with the same webhook-id, by which the receiver knows it.
 */
export function startDeliveryWorker(
  context: NotifierContext & {
    sender: WebhookSender
    endpoints: EndpointReader
    /** How long a probe of an open circuit may take. */
    probeMs: number
    /** Before this nothing is sent: it would be signed with the wrong secret. */
    secretsKnown: Promise<void>
  },
): DeliveryWorker {
  const { db, log, clock, worker, leaseMs, probeMs, sender, endpoints, secretsKnown } = context
  const lanes = new Map<string, Lane>()
  /** What this copy has claimed, each with the time (of `performance.now()`) until which nobody else can have it. */
  const held = new Map<string, number>()
  /** Endpoints that were found broken while a claim was under way, which may not know it. */
  const stopped = new Set<string>()
  const running = new Set<Promise<void>>()
  const aborted = new AbortController()
  let outcomes: Outcome[] = []
  let mayBegin = false
  let stopping = false

  const claiming = every(SWEEP_MS, 'claim deliveries', log, () => unlessOutage(claim), { gapMs: CLAIM_GAP_MS })
  const noting = every(NOTE_MS, 'note deliveries', log, () => unlessOutage(note))
  const renewing = every(Math.ceil(leaseMs / 4), 'renew delivery leases', log, () => unlessOutage(renew))
  const reclaiming = every(Math.min(leaseMs, 5000), 'reclaim deliveries', log, () => unlessOutage(reclaim))
  void secretsKnown.then(() => {
    mayBegin = true
    claiming.poke()
  })
  reclaiming.poke()

  async function unlessOutage(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!isOutage(error)) throw error
      log.debug({ err: error }, 'deliveries wait until the database is back')
    }
  }

  async function claim(): Promise<void> {
    while (mayBegin && !stopping) {
      await clearClosedLanes()
      const unsignable = await endpoints.unsignable()
      const counts = [...lanes]
        .filter(([endpointId]) => !unsignable.includes(endpointId))
        .map(([endpointId, lane]) => ({ endpointId, count: lane.waiting.length + lane.running }))
      // A lane that counts as full: what cannot be signed waits in the table, where another copy may have the key for it.
      counts.push(...unsignable.map((endpointId) => ({ endpointId, count: CLAIMED })))
      stopped.clear()
      const leasedUntilMs = performance.now() + leaseMs
      const claimed = await claimOnce({ held: counts, limit: CLAIMED, worker, leaseMs, probeMs, now: clock.now() })
      const claimedAtMs = performance.now()
      for (const delivery of claimed) {
        held.set(delivery.id, leasedUntilMs)
        laneOf(delivery).waiting.push({ ...delivery, claimedAtMs })
      }
      // At once, and so never given back: the other copies wait for what comes of a probe.
      for (const probe of claimed.filter((delivery) => delivery.probe)) fill(probe.endpoint_id)
      if (stopped.size > 0) await giveBack(stopped)
      for (const endpointId of new Set(claimed.map((delivery) => delivery.endpoint_id))) fill(endpointId)
      // Fewer than there is room for in one lane: there was no more, or no room, and both poke when they come.
      if (claimed.length < CLAIMED) return
    }
  }

  /** When two rows of one subject were taken in the same moment, what the other copy took is seen at the next try. */
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
    // Open again before the first of them is given back: what comes back meanwhile closes its lane once more.
    for (const [, lane] of closed) lane.isClosed = false
    await giveBack(closed.map(([endpointId]) => endpointId))
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
    // A claim that may have ended is somebody else's perhaps: it is given back unsent.
    if (!endpoint || (held.get(delivery.id) ?? 0) <= performance.now()) {
      lane.waiting.unshift(delivery)
      lane.isClosed = true
      claiming.poke()
      return
    }
    const at = clock.now()
    const headers = signatureHeaders(endpoint.secrets, {
      webhookId: delivery.event_id,
      body: delivery.body,
      at,
    })
    const answer = await tracedSend(delivery, () => sender.send(endpoint.url, headers, delivery.body, aborted.signal))
    const outcome = outcomeOf(delivery, at, answer)
    lane.failures = failuresAfter(lane.failures, [outcome])
    countAttempt(outcome)
    if (outcomes.push(outcome) === 1) setTimeout(() => noting.poke(), GATHER_MS)
  }

  function outcomeOf(delivery: ClaimedDelivery, at: Date, webhook: WebhookAnswer): Outcome {
    const { status, error, answer, durationMs, retryAfter } = webhook
    const { id: deliveryId, endpoint_id: endpointId, replays, probe } = delivery
    const now = clock.now()
    const retryAfterMs = parseRetryAfter(retryAfter, now)
    const kept = { deliveryId, endpointId, replays, probe, at, durationMs, status, error, answer, retryAfterMs }
    if (error === null) return { ...kept, failed: false, result: 'delivered', nextAttemptAt: null }
    // Broken off by our own stop: whoever comes next tries again at once.
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
      if (paused.length > 0) log.warn({ endpoints: paused }, 'webhook endpoints fail and are left alone for a while')
      const dead = batch.filter((outcome) => outcome.result === 'dead').map((outcome) => outcome.deliveryId)
      if (dead.length > 0) log.error({ deliveries: dead }, 'deliveries were given up')
      for (const outcome of batch) held.delete(outcome.deliveryId)
      const broken = [...disabled, ...paused]
      for (const endpointId of broken) stopped.add(endpointId)
      try {
        await giveBack(broken)
      } finally {
        for (const endpointId of new Set(batch.map((outcome) => outcome.endpointId))) {
          const lane = lanes.get(endpointId)
          const unwritten = outcomes.filter((outcome) => outcome.endpointId === endpointId)
          // Of a broken one nothing waits any more: the claim lets its probes through.
          if (lane)
            lane.failures = broken.includes(endpointId) ? 0 : failuresAfter(failures.get(endpointId) ?? 0, unwritten)
          fill(endpointId)
        }
      }
    }
    // A lane that is more than half full needs no claim: its next outcomes come by here again.
    if ([...lanes.values()].some((lane) => lane.waiting.length + lane.running <= CLAIMED / 2)) claiming.poke()
  }

  async function write(batch: Outcome[]): Promise<Written> {
    const now = clock.now()
    const news = newsOf(batch)
    const failing = news.filter((item) => item.failures > 0 || item.probe !== undefined)
    const gone = [...new Set(batch.filter(({ status }) => status === GONE).map(({ endpointId }) => endpointId))]
    const idsOf = (items: EndpointNews[]) => items.map((item) => item.endpointId)
    return transaction(db, async (tx) => {
      await noteOutcomes(tx, worker, batch, now)
      if (failing.length === 0) {
        await noteEndpointsWork(tx, idsOf(news))
        return { disabled: [], paused: [], failures: new Map() }
      }
      const { failures, paused } = await noteEndpointsFail(tx, news, now)
      const since = new Date(now.getTime() - DISABLE_AFTER_MS)
      const tired = await disableEndpointsFailingSince(tx, idsOf(failing), { since, now })
      const refused = gone.length > 0 ? await disableEndpoints(tx, gone, 'it answered 410 Gone', now) : []
      return { disabled: [...tired, ...refused], paused, failures }
    })
  }

  /** Gives up the claims on what was not begun. */
  async function giveBack(endpointIds: Iterable<string>): Promise<void> {
    const ids = [...endpointIds].flatMap((id) => lanes.get(id)?.waiting.splice(0) ?? []).map((delivery) => delivery.id)
    if (ids.length === 0) return
    // First: what cannot be released is not to be renewed either, and comes back when its lease ends.
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

  async function reclaim(): Promise<void> {
    const freed = await reclaimDeliveries(db, { worker, held: [...held.keys()], leaseMs, now: clock.now() })
    if (freed === 0) return
    log.warn({ deliveries: freed }, 'deliveries of a copy that is gone are taken up')
    claiming.poke()
  }

  return {
    poke: () => claiming.poke(),
    async stop(graceMs) {
      stopping = true
      await Promise.all([claiming.stop(), reclaiming.stop()])
      const giveUp = setTimeout(() => aborted.abort(), graceMs)
      await Promise.all(running)
      clearTimeout(giveUp)
      await Promise.all([noting.stop(), renewing.stop()])
      await unlessOutage(note)
      await unlessOutage(() => giveBack(lanes.keys()))
      await sender.close()
    },
  }
}
