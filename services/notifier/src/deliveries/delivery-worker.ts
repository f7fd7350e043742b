import { every, isOutage, transaction } from '@storefront/chassis'
import type { NotifierContext } from '../context.ts'
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
  type DeliveryOutcome,
} from './deliveries.queries.ts'
import { nextAttemptAt, parseRetryAfter } from './retry-schedule.ts'
import type { WebhookAnswer, WebhookSender } from './send-webhook.ts'
import { signatureHeaders } from './signature.ts'

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
/** A claim costs the same for one row as for fifty: under load they come together. */
const CLAIM_GAP_MS = 50

interface Lane {
  url: string
  waiting: ClaimedDelivery[]
  running: number
}

/**
 * Sends what the queue holds. Every copy of the service runs one; the queue keeps them apart. What a receiver
 * accepted is sent again only when this process dies, or loses the database for longer than a lease, before it could
 * write that down: with the same webhook-id, by which the receiver knows it.
 */
export function startDeliveryWorker(
  context: NotifierContext & {
    sender: WebhookSender
    secretsOf: (endpointId: string) => readonly string[]
    /** Before this nothing is sent: it would be signed with the wrong secret. */
    secretsKnown: Promise<void>
  },
): DeliveryWorker {
  const { db, log, clock, worker, leaseMs, sender, secretsOf, secretsKnown } = context
  const lanes = new Map<string, Lane>()
  const held = new Set<string>()
  const running = new Set<Promise<void>>()
  const aborted = new AbortController()
  let outcomes: DeliveryOutcome[] = []
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
      const counts = [...lanes].map(([endpointId, lane]) => ({ endpointId, count: lane.waiting.length + lane.running }))
      const claimed = await claimDeliveries(db, { held: counts, limit: CLAIMED, worker, leaseMs, now: clock.now() })
      for (const delivery of claimed) {
        held.add(delivery.id)
        laneOf(delivery).waiting.push(delivery)
      }
      for (const endpointId of new Set(claimed.map((delivery) => delivery.endpoint_id))) fill(endpointId)
      // Fewer than a lane takes: there was no more, or no room, and room pokes when it comes.
      if (claimed.length < CONCURRENCY) return
    }
  }

  function laneOf({ endpoint_id: id, url }: ClaimedDelivery): Lane {
    const lane = lanes.get(id) ?? { url, waiting: [], running: 0 }
    lane.url = url
    lanes.set(id, lane)
    return lane
  }

  function fill(endpointId: string): void {
    const lane = lanes.get(endpointId)
    while (lane && !stopping && lane.running < CONCURRENCY) {
      const delivery = lane.waiting.shift()
      if (!delivery) return
      lane.running++
      const attempt = deliver(lane.url, delivery).finally(() => {
        lane.running--
        running.delete(attempt)
        fill(endpointId)
      })
      running.add(attempt)
    }
  }

  async function deliver(url: string, delivery: ClaimedDelivery): Promise<void> {
    const at = clock.now()
    const headers = signatureHeaders(secretsOf(delivery.endpoint_id), {
      webhookId: delivery.event_id,
      body: delivery.body,
      at,
    })
    const answer = await sender.send(url, headers, delivery.body, aborted.signal)
    if (outcomes.push(outcomeOf(delivery, at, answer)) === 1) setTimeout(() => noting.poke(), GATHER_MS)
  }

  function outcomeOf(delivery: ClaimedDelivery, at: Date, webhook: WebhookAnswer): DeliveryOutcome {
    const { status, error, answer, durationMs, retryAfter } = webhook
    const kept = { deliveryId: delivery.id, endpointId: delivery.endpoint_id, at, durationMs, status, error, answer }
    if (error === null) return { ...kept, result: 'delivered', nextAttemptAt: null }
    const now = clock.now()
    // Broken off by our own stop: whoever comes next tries again at once.
    if (status === null && aborted.signal.aborted) return { ...kept, result: 'waiting', nextAttemptAt: now }
    const next =
      status === GONE
        ? undefined
        : nextAttemptAt(now, delivery.attempts + 1, parseRetryAfter(retryAfter, now), Math.random())
    return next ? { ...kept, result: 'waiting', nextAttemptAt: next } : { ...kept, result: 'dead', nextAttemptAt: null }
  }

  async function note(): Promise<void> {
    if (outcomes.length === 0) return
    while (outcomes.length > 0) {
      const batch = outcomes
      outcomes = []
      try {
        const disabled = await write(batch)
        if (disabled.length > 0) log.error({ endpoints: disabled }, 'webhook endpoints were disabled')
        const dead = batch.filter((outcome) => outcome.result === 'dead').map((outcome) => outcome.deliveryId)
        if (dead.length > 0) log.error({ deliveries: dead }, 'deliveries were given up')
        await giveBack(disabled)
      } catch (error) {
        outcomes = [...batch, ...outcomes]
        throw error
      }
      for (const outcome of batch) held.delete(outcome.deliveryId)
    }
    // A lane that is more than half full needs no claim: its next outcomes come by here again.
    if ([...lanes.values()].some((lane) => lane.waiting.length + lane.running <= CLAIMED / 2)) claiming.poke()
  }

  /** @returns the endpoints that these outcomes disabled */
  async function write(batch: DeliveryOutcome[]): Promise<string[]> {
    const now = clock.now()
    const endpointsOf = (which: (outcome: DeliveryOutcome) => boolean) => [
      ...new Set(batch.filter(which).map((outcome) => outcome.endpointId)),
    ]
    const working = endpointsOf((outcome) => outcome.result === 'delivered')
    const failing = endpointsOf((outcome) => outcome.result !== 'delivered')
    const gone = endpointsOf((outcome) => outcome.status === GONE)
    return transaction(db, async (tx) => {
      await noteOutcomes(tx, worker, batch, now)
      if (working.length > 0) await noteEndpointsWork(tx, working)
      if (failing.length === 0) return []
      const broken = failing.filter((id) => !working.includes(id))
      if (broken.length > 0) await noteEndpointsFail(tx, broken, now)
      const since = new Date(now.getTime() - DISABLE_AFTER_MS)
      const tired = broken.length > 0 ? await disableEndpointsFailingSince(tx, broken, since) : []
      const refused = gone.length > 0 ? await disableEndpoints(tx, gone, 'it answered 410 Gone') : []
      return [...tired, ...refused]
    })
  }

  /** Gives up the claims on what was not begun. */
  async function giveBack(endpointIds: Iterable<string>): Promise<void> {
    const ids = [...endpointIds].flatMap((id) => lanes.get(id)?.waiting.splice(0) ?? []).map((delivery) => delivery.id)
    if (ids.length === 0) return
    await releaseDeliveries(db, { ids, worker })
    for (const id of ids) held.delete(id)
  }

  async function renew(): Promise<void> {
    if (held.size > 0) await renewDeliveryLeases(db, { ids: [...held], worker, leaseMs })
  }

  async function reclaim(): Promise<void> {
    const freed = await reclaimDeliveries(db, { worker, held: [...held], now: clock.now() })
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
