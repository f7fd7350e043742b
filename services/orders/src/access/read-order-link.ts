import { replyTo } from '@storefront/messaging'
import { ReadOrderLink } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import { hashSecret } from './capability.ts'
import { grantIfOpen } from './closed-orders.queries.ts'

/**
 * Notifier requests the capability for a link at the moment it sends a mail, so that no event and no queue ever holds
 * it (docs/decisions/0041).
 */
export function replyToReadOrderLink(context: OrdersContext): void {
  replyTo(context, ReadOrderLink, async ({ orderId }) => {
    const { db, orderLinks } = context
    const accessToken = orderLinks(orderId)
    return (await grantIfOpen(db, orderId, hashSecret(accessToken))) ? { accessToken } : {}
  })
}
