import type { Tx } from '../database.ts'
import { endHolds, findByClaim, lockStockOfHolds, type EndedHold } from './reservations.queries.ts'
import { recordSales } from './sales.queries.ts'
import { moveStock, type ChangedStock } from './stock.queries.ts'

/** Releases held goods. Has no effect on claims that are no longer held. */
export async function releaseHolds(tx: Tx, claims: readonly string[], now: Date): Promise<ChangedStock[]> {
  await lockStockOfHolds(tx, claims)
  const lines = linesOf(await endHolds(tx, claims, 'released'))
  return moveStock(
    tx,
    lines.map((line) => ({
      variantId: line.variantId,
      onHandDelta: 0,
      reservedDelta: -line.quantity,
      kind: 'released' as const,
      reference: line.claim,
    })),
    now,
  )
}

/**
 * Turns held goods into sold ones, of which as many are available as before. Has no effect on a claim that is already
 * sold.
 * @param placedAt when the orders on these claims were placed, if that is known: the sales count for that day
 * @throws Error when a claim is unknown or was released, because an order with it must not exist
 */
export async function sellHolds(
  tx: Tx,
  claims: readonly string[],
  now: Date,
  placedAt: ReadonlyMap<string, Date> = new Map(),
): Promise<void> {
  if (claims.length === 0) return
  await lockStockOfHolds(tx, claims)
  const ended = await endHolds(tx, claims, 'sold')
  if (ended.length < claims.length) await requireSold(tx, claims)
  const lines = linesOf(ended)
  await moveStock(
    tx,
    lines.map((line) => ({
      variantId: line.variantId,
      onHandDelta: -line.quantity,
      reservedDelta: -line.quantity,
      kind: 'sold' as const,
      reference: line.claim,
    })),
    now,
    { isAwaited: false },
  )
  await recordSales(
    tx,
    lines.map(({ variantId, quantity, claim }) => ({ variantId, units: quantity, at: placedAt.get(claim) ?? now })),
  )
}

/** Every change of a reservation locks its stock first, so that these reservations cannot change any more. */
async function requireSold(tx: Tx, claims: readonly string[]): Promise<void> {
  const statuses = new Map((await findByClaim(tx, claims)).map(({ claim, status }) => [claim, status]))
  for (const claim of claims) {
    const status = statuses.get(claim) ?? 'unknown'
    if (status !== 'sold') throw new Error(`an order refers to a reservation that is ${status}: ${claim}`)
  }
}

function linesOf(ended: readonly EndedHold[]) {
  return ended.flatMap(({ claim, lines }) => lines.map((line) => ({ ...line, claim })))
}
