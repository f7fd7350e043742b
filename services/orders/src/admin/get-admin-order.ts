import { z } from 'zod'
import type { App } from '@storefront/http'
import { OpaqueId, Order } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import { orderNotFound } from '../errors.ts'
import { merchantOrder } from '../orders/order.ts'
import { findOrder } from '../orders/orders.queries.ts'

/** An order's number works wherever its id does. */
export const OrderParams = z.object({
  id: OpaqueId.describe('Id or number of the order; the number in upper or lower case.'),
})

/** Any order, with the payment's reference. */
export function getAdminOrderRoute(app: App, { db }: OrdersContext): void {
  app.get('/admin/orders/:id', {
    config: { access: { admin: 'orders:read' }, errors: ['not_found'] },
    schema: {
      summary: 'One order',
      description:
        "As the merchant sees it: with the `reference` of its payment, the `customerId`, and the reason why it needs a person's " +
        'attention.',
      params: OrderParams,
      response: { 200: Order },
    },
    handler: async ({ params }) => {
      const order = await findOrder(db, params.id)
      if (!order) throw orderNotFound()
      return merchantOrder(order)
    },
  })
}
