import { replyTo } from '@storefront/messaging'
import { ReadOrderLink } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import { findOrderId } from '../orders/orders.queries.ts'
import { grant } from './capability.ts'
import { isClosed } from './closed-orders.queries.ts'

/**
 * Notifier requests the capability for a link at the moment it sends a mail, so that no event and no queue ever holds
 * it (docs/decisions/0041).
 */
export function replyToReadOrderLink(context: OrdersContext): void {
  replyTo(context, ReadOrderLink, async ({ orderId }) => {
    const { db, orderLinks } = context
    if ((await findOrderId(db, orderId)) !== orderId || (await isClosed(db, orderId))) return {}
    const accessToken = orderLinks(orderId)
    await grant(db, orderId, [accessToken])
    return { accessToken }
  })
}
