import type { Buyer } from '@storefront/contracts'
import type { Row } from '../database.ts'

export type StoredBuyer = Omit<Row<'buyers'>, 'email_canonical' | 'tag_keys'>

/** A buyer as the merchant sees one. More may have been refunded than was paid: Money is never negative. */
export function shownBuyer(buyer: StoredBuyer): Buyer {
  const { id, email, name, orders, tags } = buyer
  const others = Object.entries(buyer.revenues).filter(([currency]) => currency !== buyer.currency)
  return {
    id,
    email,
    name,
    ...(buyer.customer_id !== null && { customerId: buyer.customer_id }),
    orders,
    revenue: [[buyer.currency, buyer.revenue_minor] as const, ...others]
      .filter(([currency]) => currency !== '')
      .map(([currency, amount]) => ({ amount: Math.max(0, amount), currency })),
    firstOrderAt: buyer.first_order_at.toISOString(),
    lastOrderAt: buyer.last_order_at.toISOString(),
    tags,
  }
}
