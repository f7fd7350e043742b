import type { App } from '@storefront/chassis'
import { listOf, Order } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import { publicOrder } from './order.ts'
import { findOrdersOf } from './orders.queries.ts'

/** The orders a customer placed while signed in, and those of guests with an address that was the customer’s then, newest first. */
export function listOrdersRoute(app: App, { db }: OrdersContext): void {
  app.get(
    '/orders',
    {
      config: { access: 'customer' },
      schema: { tags: ['Orders'], summary: 'The orders of the signed-in customer', response: { 200: listOf(Order) } },
    },
    async ({ actor }) => {
      const orders = actor.kind === 'customer' ? await findOrdersOf(db, actor.customerId) : []
      return { items: orders.map(publicOrder), total: orders.length }
    },
  )
}
