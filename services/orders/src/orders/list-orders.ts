import { snapshot } from '@storefront/postgres'
import type { App } from '@storefront/http'
import { listOf, Order } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import { countOrdersOf, findOrdersOf } from './customer-orders.queries.ts'
import { publicOrder } from './order.ts'
import { OrderPageFields, orderPageQuery } from './order-page.ts'

const DEFAULT_PER_PAGE = 12
const MAX_PER_PAGE = 48

/**
 * The orders that a customer placed while signed in, and those of guests with an address that was the customer’s then,
 * newest first.
 */
export function listOrdersRoute(app: App, { db }: OrdersContext): void {
  app.get('/orders', {
    config: { access: 'customer' },
    schema: {
      summary: 'The orders of the signed-in customer, newest first',
      description:
        "Orders that were placed while signed in, and guest orders with the customer's email " +
        'address, if that address is verified.',
      querystring: orderPageQuery({ default: DEFAULT_PER_PAGE, max: MAX_PER_PAGE }),
      response: { 200: listOf(Order).extend(OrderPageFields.shape) },
    },
    handler: async ({ actor, query: { page, per_page: perPage } }) => {
      if (actor.kind !== 'customer') return { items: [], total: 0, page, perPage }
      const { customerId } = actor
      const place = { limit: perPage, offset: (page - 1) * perPage }
      const { orders, total } = await snapshot(db, async (moment) => ({
        orders: await findOrdersOf(moment, customerId, place),
        total: await countOrdersOf(moment, customerId),
      }))
      return { items: orders.map(publicOrder), total, page, perPage }
    },
  })
}
