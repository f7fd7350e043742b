import { z } from 'zod'
import type { App } from '@storefront/chassis'
import { Order } from '@storefront/contracts'
import { maySee, viewerOf } from '../access/capability.ts'
import type { OrdersContext } from '../context.ts'
import { orderNotFound } from '../errors.ts'
import { publicOrder } from './order.ts'
import { findOrder } from './orders.queries.ts'

/** One order, for its customer or the browser that placed it. Everybody else hears that there is none. */
export function getOrderRoute(app: App, { db, browsers }: OrdersContext): void {
  app.get(
    '/orders/:id',
    {
      config: { access: 'public', errors: ['not_found'] },
      schema: {
        tags: ['Orders'],
        summary: 'One order, for its customer or the browser that placed it',
        description:
          'Opens for the signed-in customer whose order it is and, without a sign-in, for the browser that placed it or for ' +
          'the `accessToken`. Otherwise the order is not found, as if it did not exist.',
        // Whatever is asked for, there is no such order: an address that is too long is no exception.
        params: z.object({ id: z.string().describe('Id or number of the order, from the reply that placed it.') }),
        querystring: z.object({
          token: z
            .string()
            .optional()
            .describe('The `accessToken` of the order, for a link that has to open it by itself.'),
        }),
        headers: z.looseObject({
          'x-order-token': z
            .string()
            .optional()
            .describe('The `accessToken` of the checkout, where there are no cookies.'),
        }),
        response: { 200: Order },
      },
    },
    async (request) => {
      const order = await findOrder(db, request.params.id)
      if (!order || !(await maySee(db, order, viewerOf(browsers, request, request.query.token)))) throw orderNotFound()
      return publicOrder(order)
    },
  )
}
