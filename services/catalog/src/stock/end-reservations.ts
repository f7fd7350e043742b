import type { Tx } from '../database.ts'
import { endHolds, findByClaim } from './reservations.queries.ts'
import { recordSales } from './sales.queries.ts'
import { lockStock, moveStock, type ChangedStock } from './stock.queries.ts'

/** Releases held goods. Has no effect on claims that are no longer held. */
export async function releaseHolds(tx: Tx, claims: readonly string[], now: Date): Promise<ChangedStock[]> {
  const { lines } = await endAndList(tx, claims, 'released')
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
 * Turns held goods into sold ones. Has no effect on a claim that is already sold.
 * @param placedAt when the orders on these claims were placed, if that is known: the sales count for that day
 * @throws Error when a claim is unknown or was released, because an order with it must not exist
 */
export async function sellHolds(
  tx: Tx,
  claims: readonly string[],
  now: Date,
  placedAt: ReadonlyMap<string, Date> = new Map(),
): Promise<ChangedStock[]> {
  if (claims.length === 0) return []
  const { lines, products, statuses } = await endAndList(tx, claims, 'sold')
  for (const claim of claims) {
    const status = statuses.get(claim)
    if (status !== 'held' && status !== 'sold') {
      throw new Error(`an order refers to a reservation that is ${status ?? 'unknown'}: ${claim}`)
    }
  }
  const changed = await moveStock(
    tx,
    lines.map((line) => ({
      variantId: line.variantId,
      onHandDelta: -line.quantity,
      reservedDelta: -line.quantity,
      kind: 'sold' as const,
      reference: line.claim,
    })),
    now,
  )
  await recordSales(
    tx,
    lines.map(({ variantId, quantity, claim }) => ({
      productId: products.get(variantId) ?? '',
      units: quantity,
      at: placedAt.get(claim) ?? now,
    })),
  )
  return changed
}

async function endAndList(tx: Tx, claims: readonly string[], status: 'sold' | 'released') {
  const found = await findByClaim(tx, claims)
  const variantIds = found.flatMap((reservation) => reservation.lines.map((line) => line.variantId))
  const stock = await lockStock(tx, variantIds)
  const ended = new Set(await endHolds(tx, claims, status))
  // Every change of a reservation locks its stock first, so these reservations cannot change from here on.
  const settled = ended.size === claims.length ? found : await findByClaim(tx, claims)
  return {
    /** Lines of the holds that this call ended. */
    lines: found
      .filter((reservation) => ended.has(reservation.claim))
      .flatMap((reservation) => reservation.lines.map((line) => ({ ...line, claim: reservation.claim }))),
    products: new Map(stock.map((row) => [row.variantId, row.productId])),
    /** The status of each claim: `held` means that this call has just ended it. */
    statuses: new Map(settled.map((reservation) => [reservation.claim, reservation.status])),
  }
}
