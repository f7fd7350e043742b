import type { Log } from '@storefront/service'
import type { Tx } from '../database.ts'
import { sellHolds } from './end-reservations.ts'
import { findByClaim } from './reservations.queries.ts'
import { reverseSales } from './sales.queries.ts'
import { lockStock, moveStock, type ChangedStock } from './stock.queries.ts'

interface ReturnedOrder {
  orderId: string
  claim: string
  placedAt: Date
  lines: readonly { variantId: string; quantity: number }[]
}

/**
 * Returns the goods sold with these orders to the stock, and removes them from the sales of the day on which they were
 * placed. If `order.placed` was not consumed yet, the goods are sold first, so that the late event finds them sold.
 */
export async function returnGoods(
  tx: Tx,
  orders: readonly ReturnedOrder[],
  now: Date,
  log: Log,
): Promise<ChangedStock[]> {
  const claims = orders.map(({ claim }) => claim)
  const found = await findByClaim(tx, claims)
  const variantIds = [...found, ...orders].flatMap(({ lines }) => lines.map(({ variantId }) => variantId))
  const stock = await lockStock(tx, variantIds)
  const products = new Map(stock.map((row) => [row.variantId, row.productId]))
  // Every change of a reservation locks its stock first, so these reservations cannot change from here on.
  const reservations = new Map((await findByClaim(tx, claims)).map((each) => [each.claim, each]))
  await sellHolds(
    tx,
    claims.filter((claim) => reservations.get(claim)?.status === 'held'),
    now,
    new Map(orders.map(({ claim, placedAt }) => [claim, placedAt])),
  )
  const returned = orders.flatMap(({ orderId, claim, placedAt, lines }) => {
    const reservation = reservations.get(claim)
    if (reservation?.status === 'released') {
      log.error(
        { orderId, claim },
        'the goods of an order were not returned to the stock: its reservation was released, so they were never sold',
      )
      return []
    }
    // Fewer than were sold if a part of the order was shipped before it was canceled.
    return lines.flatMap(({ variantId, quantity }) => {
      const productId = products.get(variantId)
      return productId === undefined ? [] : [{ variantId, productId, quantity, claim, placedAt }]
    })
  })
  const changed = await moveStock(
    tx,
    returned.map(({ variantId, quantity, claim }) => ({
      variantId,
      onHandDelta: quantity,
      reservedDelta: 0,
      kind: 'returned' as const,
      reference: claim,
    })),
    now,
  )
  await reverseSales(
    tx,
    returned.map(({ productId, quantity, placedAt }) => ({ productId, units: quantity, at: placedAt })),
  )
  return changed
}
