import { consume, publishAll, type Consumer } from '@storefront/messaging'
import { CustomerDeleted, ProductUpdated } from '@storefront/contracts'
import { deleteAlerts } from '../alerts/delete-alerts.ts'
import type { CatalogContext } from '../context.ts'
import { key } from '../listings/surrogate-keys.ts'
import { publishMany, MAX_SINGLE_EVENTS } from '../products/bulk-events.ts'
import { anonymizePurchases, anonymizeReviews, insertFormerCustomers, lockCustomers } from './customers.queries.ts'

/**
 * Anonymizes the reviews of a deleted account, and deletes its alerts. Ratings do not change, so only cached reviews
 * are out of date.
 */
export function consumeCustomerDeleted(context: CatalogContext): Consumer {
  const outdated = new Set<string>()
  return consume(
    context,
    CustomerDeleted,
    async (tx, events) => {
      const customerIds = events.map((event) => event.data.customerId)
      // Locked, so that a review that is being written is either found here or rejected.
      await lockCustomers(tx, customerIds)
      await insertFormerCustomers(
        tx,
        events.map(({ data, at }) => ({ ...data, at })),
      )
      const products = await anonymizeReviews(tx, customerIds)
      await anonymizePurchases(tx, customerIds)
      await deleteAlerts(
        tx,
        events.flatMap(({ data }) => data.email ?? []),
      )
      const now = context.clock.now()
      if (products.length > MAX_SINGLE_EVENTS) await publishMany(tx, now)
      else await publishAll(tx, ProductUpdated, products, now)
      for (const { slug } of products) outdated.add(key.reviews(slug))
    },
    {
      afterCommit() {
        if (outdated.size > 0) context.purge([...outdated])
        outdated.clear()
      },
    },
  )
}
