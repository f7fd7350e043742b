import { batchCalls } from '@storefront/jobs'
import { replyTo } from '@storefront/messaging'
import { ReadOrderLink } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import { hashSecret } from './capability.ts'
import { grantIfOpen } from './closed-orders.queries.ts'

/** Notifier requests the links of a batch of mails within this time. */
const GATHER_MS = 4

/**
 * Notifier requests the capability for a link at the moment it sends a mail, so that no event and no queue ever holds
 * it (docs/decisions/0041).
 */
export function replyToReadOrderLink(context: OrdersContext): void {
  const { db, orderLinks } = context
  const grant = batchCalls(GATHER_MS, async (orderIds: readonly string[]) => {
    const grants = orderIds.map((orderId) => ({ orderId, secretHash: hashSecret(orderLinks(orderId)) }))
    const open = await grantIfOpen(db, grants)
    return (orderId) => open.has(orderId)
  })
  replyTo(context, ReadOrderLink, async ({ orderId }) =>
    (await grant(orderId)) ? { accessToken: orderLinks(orderId) } : {},
  )
}
