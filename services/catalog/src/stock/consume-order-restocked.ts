import { consume, type Consumer } from '@storefront/messaging'
import { OrderRestocked } from '@storefront/contracts'
import type { CatalogContext } from '../context.ts'
import { returnGoods } from './return-goods.ts'
import { findStockOnSale } from './stock.queries.ts'

/** Returns the goods of an order to the stock, where they are available again and no longer count as sold. */
export function consumeOrderRestocked(context: CatalogContext): Consumer {
  const { db, log, clock, projection } = context
  const returned = new Set<string>()

  // Read again, because the transaction that returned them may have been rolled back.
  async function updateProjection(variantIds: readonly string[]): Promise<void> {
    try {
      await projection.writeStock(await findStockOnSale(db, variantIds))
    } catch (error) {
      log.warn({ err: error }, 'the price projection was not updated for returned goods; the sweep repairs it')
    }
  }

  return consume(
    context,
    OrderRestocked,
    async (tx, events) => {
      const orders = events.map(({ data }) => ({ ...data, placedAt: new Date(data.placedAt) }))
      for (const { variantId } of await returnGoods(tx, orders, clock.now(), log)) returned.add(variantId)
    },
    {
      afterCommit() {
        if (returned.size === 0) return
        void updateProjection([...returned])
        returned.clear()
      },
    },
  )
}
