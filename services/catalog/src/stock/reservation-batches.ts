import { activeSpan, tracedBatch, type Span, type Stoppable } from '@storefront/service'
import { isDatabaseTimeout, transaction } from '@storefront/postgres'
import type { ReserveInventory } from '@storefront/contracts'
import type { z } from 'zod'
import type { CatalogContext } from '../context.ts'
import type { Database, Tx } from '../database.ts'
import { tooBusy } from '../errors.ts'
import {
  claimOf,
  decideReservations,
  joinLines,
  unitsOf,
  type Decision,
  type ReservationRequest,
  type StockRow,
} from './decide-reservations.ts'
import { countDecisions, countUndecided, undecidedRequests } from './reservation-metrics.ts'
import { extendHolds, findReservations, saveHolds, type Hold } from './reservations.queries.ts'
import { findStockLevels, lockStockForSale, moveStock, type ChangedStock, type StockForSale } from './stock.queries.ts'

type Reply = z.output<typeof ReserveInventory.reply>

/** The maximum number of requests in one transaction: those that arrive while the previous one runs. */
const MAX_BATCH = 256
const MAX_UNDECIDED = 5000
/** After a batch has timed out while waiting for locked stock, batches skip locked stock for this long. */
const SKIP_MS = 1000
/** The pause before requests for skipped stock are tried again. */
const RETRY_MS = 50

interface Waiting {
  request: ReservationRequest
  deadlineMs: number
  span: Span | undefined
  resolve: (reply: Reply) => void
  reject: (error: unknown) => void
}

type BatchContext = Pick<CatalogContext, 'db' | 'clock' | 'projection'>
type ProjectedStock = Omit<ChangedStock, 'productId'>

/** `stop` removes its requests from the metrics. */
export interface ReservationBatches extends Stoppable {
  /**
   * @param deadlineMs when the caller stops waiting, as of `performance.now()`
   * @throws HttpError `service_unavailable` when too many requests are waiting, or the deadline has passed
   */
  reserve(request: ReservationRequest, deadlineMs: number): Promise<Reply>
}

/**
 * Decides reservations in batches, one batch at a time: while one commits, the requests of the next are collected. So a
 * popular size is locked once for many buyers, and a single request does not wait for a timer. Requests for stock that
 * another transaction has locked for longer are skipped and tried again until their deadline, so that others do not
 * wait for it. The price projection is updated after the commit and before the replies.
 */
export function openReservationBatches(context: BatchContext): ReservationBatches {
  const waiting: Waiting[] = []
  /** Requests that wait, requests of the current batch, and those that are tried again. */
  const undecided = new Set<Promise<Reply>>()
  const unwatch = undecidedRequests.watch(undecided)
  let isDeciding = false
  let skipsUntilMs = 0

  function enqueue(item: Waiting): void {
    waiting.push(item)
    if (!isDeciding) void decideAll()
  }

  async function decideAll(): Promise<void> {
    isDeciding = true
    // Requests that arrived in the same packet join the first batch.
    await new Promise((resolve) => setImmediate(resolve))
    while (waiting.length > 0) await decide(waiting.splice(0, MAX_BATCH))
    isDeciding = false
  }

  async function decide(taken: Waiting[]): Promise<void> {
    const batch = withoutLate(taken)
    if (batch.length === 0) return
    const skipsLocked = performance.now() < skipsUntilMs
    try {
      for (const item of await decideTogether(context, batch, skipsLocked)) setTimeout(enqueue, RETRY_MS, item)
    } catch (error) {
      if (!skipsLocked && isDatabaseTimeout(error)) {
        skipsUntilMs = performance.now() + SKIP_MS
        await decide(batch)
      } else if (batch.length === 1) {
        countUndecided('failed')
        batch[0]?.reject(error)
      }
      // One by one, so that a request that the database rejects does not make the others in its batch fail.
      else for (const item of batch) await decide([item])
    }
  }

  return {
    async reserve(request, deadlineMs) {
      if (undecided.size >= MAX_UNDECIDED) {
        countUndecided('busy')
        throw tooBusy()
      }
      const reply = new Promise<Reply>((resolve, reject) => {
        enqueue({ request, deadlineMs, span: activeSpan(), resolve, reject })
      })
      undecided.add(reply)
      try {
        return await reply
      } finally {
        undecided.delete(reply)
      }
    },
    // There is nothing to wait for: the request handler stops with the messaging, after its replies.
    stop: async () => unwatch(),
  }
}

/** Rejects requests that have timed out, because their callers could not release the hold. */
function withoutLate(taken: readonly Waiting[]): Waiting[] {
  const nowMs = performance.now()
  return taken.filter(({ deadlineMs, reject }) => {
    if (nowMs < deadlineMs) return true
    countUndecided('late')
    reject(tooBusy())
    return false
  })
}

/** Decides requests in one transaction, and replies to them. @returns those that were skipped */
async function decideTogether(
  { db, clock, projection }: BatchContext,
  batch: readonly Waiting[],
  skipsLocked: boolean,
): Promise<Waiting[]> {
  const requests = batch.map((item) => item.request)
  const spans = batch.map((item) => item.span)
  const { decided, stock, changed } = await tracedBatch('settle reservations', spans, () =>
    reserveBatch(db, requests, { now: clock.now(), skipsLocked }),
  )
  countDecisions([...decided.values()])
  await projection.writeStock(changed)
  return batch.filter(({ request, resolve }) => {
    const decision = decided.get(request)
    if (decision) resolve(replyOf(request, decision, stock))
    return decision === undefined
  })
}

/** @param options.skipsLocked whether to skip requests for locked stock instead of waiting for it */
async function reserveBatch(
  db: Database,
  all: readonly ReservationRequest[],
  { now, skipsLocked }: { now: Date; skipsLocked: boolean },
): Promise<{ decided: Map<ReservationRequest, Decision>; stock: StockRow[]; changed: ProjectedStock[] }> {
  return transaction(db, async (tx) => {
    const variantIds = all.flatMap((request) => request.lines.map((line) => line.variantId))
    const stock = await lockStockForSale(tx, variantIds, { skipsLocked })
    const requests = skipsLocked ? await withoutSkipped(tx, all, stock) : all
    const reservationIds = requests.map((request) => request.reservationId)
    const known = await findReservations(tx, reservationIds)
    const decisions = decideReservations(requests, stock, known)
    const decided = new Map<ReservationRequest, Decision>()
    const holds = requests.flatMap((request, index) => {
      const decision = decisions[index]
      if (decision) decided.set(request, decision)
      return decision?.kind === 'held' ? [{ id: request.reservationId, ...decision }] : []
    })
    await saveHolds(tx, holds)
    const extended = requests.flatMap((request, index) => {
      const decision = decisions[index]
      const isExtended = decision?.kind === 'again' && decision.isExtended
      return isExtended ? [{ id: request.reservationId, expiresAt: decision.expiresAt }] : []
    })
    await extendHolds(tx, extended)
    const movements = holds.flatMap((hold) =>
      hold.lines.map(({ variantId, quantity }) => ({
        variantId,
        onHandDelta: 0,
        reservedDelta: quantity,
        kind: 'reserved' as const,
        reference: claimOf(hold.id, hold.generation),
      })),
    )
    await moveStock(tx, movements, now, { isAwaited: false })
    return { decided, stock, changed: stockAfter(holds, stock) }
  })
}

/** What `moveStock` leaves of this stock when the goods are held: it is locked, so no other transaction changes it. */
function stockAfter(holds: readonly Pick<Hold, 'lines'>[], stock: readonly StockForSale[]): ProjectedStock[] {
  const rows = new Map(stock.map((row) => [row.variantId, row]))
  return joinLines(holds.flatMap(({ lines }) => lines)).flatMap(({ variantId, quantity }) => {
    const row = rows.get(variantId)
    return row ? [{ variantId, inventory: row.onHand - row.reserved - quantity, version: row.version + 1 }] : []
  })
}

/** The requests for which no stock was skipped. */
async function withoutSkipped(
  tx: Tx,
  requests: readonly ReservationRequest[],
  stock: readonly StockRow[],
): Promise<ReservationRequest[]> {
  const found = new Set(stock.map((row) => row.variantId))
  const missing = requests.flatMap(({ lines }) => lines.map((line) => line.variantId).filter((id) => !found.has(id)))
  const skipped = new Set((await findStockLevels(tx, missing)).map((row) => row.variantId))
  return requests.filter(({ lines }) => !lines.some((line) => skipped.has(line.variantId)))
}

function replyOf(request: ReservationRequest, decision: Decision, stock: readonly StockRow[]): Reply {
  if (decision.kind === 'rejected') return { held: false, shortfalls: decision.shortfalls }
  const claim = claimOf(request.reservationId, decision.generation)
  const held = { held: true as const, claim, expiresAt: decision.expiresAt.toISOString() }
  const { unpaid } = request
  if (!unpaid) return held
  const perBuyer = joinLines(request.lines).map(({ variantId }) => ({
    variantId,
    units: unitsOf(unpaid.perBuyer, stock.find((row) => row.variantId === variantId)?.onHand ?? 0),
  }))
  return { ...held, perBuyer }
}
