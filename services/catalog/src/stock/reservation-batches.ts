import { activeSpan, tracedTogether, type Clock, type Span } from '@storefront/service'
import { transaction } from '@storefront/postgres'
import type { ReserveInventory } from '@storefront/contracts'
import type { z } from 'zod'
import type { Database } from '../database.ts'
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
import { countDecisions, countUndecided } from './reservation-metrics.ts'
import { extendHolds, findReservations, lockStock, moveStock, saveHolds, type ChangedStock } from './stock.queries.ts'

type Reply = z.output<typeof ReserveInventory.reply>

/** Requests settled in one transaction: those for a popular size that arrive while the previous transaction runs. */
const MAX_BATCH = 256
const MAX_WAITING = 5000

interface Waiting {
  request: ReservationRequest
  deadlineMs: number
  span: Span | undefined
  resolve: (reply: Reply) => void
  reject: (error: unknown) => void
}

export interface ReservationBatches {
  /**
   * @param deadlineMs when the caller stops to wait, as of `performance.now()`
   * @throws HttpError `service_unavailable` when too many requests wait already, or the deadline has passed
   */
  reserve(request: ReservationRequest, deadlineMs: number): Promise<Reply>
}

/**
 * Decides reservations in batches, one batch at a time: while one commits, the requests of the next are collected. A
 * popular size is then locked once for many buyers, and a single request does not wait for a timer.
 * @param context.stockChanged runs after the commit and before the replies: updates the price projection
 */
export function openReservationBatches(context: {
  db: Database
  clock: Clock
  stockChanged: (changed: readonly ChangedStock[]) => Promise<void>
}): ReservationBatches {
  const waiting: Waiting[] = []
  let settling = false

  async function settleAll(): Promise<void> {
    settling = true
    // Requests that came in the same packet join the first batch.
    await new Promise((resolve) => setImmediate(resolve))
    while (waiting.length > 0) await settle(waiting.splice(0, MAX_BATCH))
    settling = false
  }

  async function settle(taken: Waiting[]): Promise<void> {
    const batch = withoutLate(taken)
    if (batch.length === 0) return
    try {
      const requests = batch.map((item) => item.request)
      const spans = batch.map((item) => item.span)
      const { decisions, stock, changed } = await tracedTogether('settle reservations', spans, () =>
        settleBatch(context.db, requests, context.clock.now()),
      )
      countDecisions(decisions)
      await context.stockChanged(changed)
      batch.forEach((item, index) => {
        const decision = decisions[index]
        if (decision) item.resolve(replyOf(item.request, decision, stock))
        else item.reject(new Error('a reservation was not decided'))
      })
    } catch (error) {
      if (batch.length === 1) {
        countUndecided('failed')
        batch[0]?.reject(error)
      }
      // One request that the database rejects must not make the others in its batch fail.
      else for (const item of batch) await settle([item])
    }
  }

  return {
    reserve: (request, deadlineMs) =>
      new Promise((resolve, reject) => {
        if (waiting.length >= MAX_WAITING) {
          countUndecided('busy')
          reject(tooBusy())
          return
        }
        waiting.push({ request, deadlineMs, span: activeSpan(), resolve, reject })
        if (!settling) void settleAll()
      }),
  }
}

/** Rejects requests whose callers have given up: they would not learn of the hold, and could not release it. */
function withoutLate(taken: readonly Waiting[]): Waiting[] {
  const nowMs = performance.now()
  return taken.filter(({ deadlineMs, reject }) => {
    if (nowMs < deadlineMs) return true
    countUndecided('late')
    reject(tooBusy())
    return false
  })
}

async function settleBatch(
  db: Database,
  requests: readonly ReservationRequest[],
  now: Date,
): Promise<{ decisions: Decision[]; stock: StockRow[]; changed: ChangedStock[] }> {
  return transaction(db, async (tx) => {
    const stock = await lockStock(
      tx,
      requests.flatMap((request) => request.lines.map((line) => line.variantId)),
    )
    const known = await findReservations(
      tx,
      requests.map((request) => request.reservationId),
    )
    const decisions = decideReservations(requests, stock, known)
    const holds = requests.flatMap((request, index) => {
      const decision = decisions[index]
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
    return { decisions, stock, changed: await moveStock(tx, movements, now) }
  })
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
