import { z } from 'zod'
import type { App } from '@storefront/http'
import { Order } from '@storefront/contracts'
import { maySee, viewerOf } from '../access/capability.ts'
import type { OrdersContext } from '../context.ts'
import { orderNotFound } from '../errors.ts'
import { publicOrder } from './order.ts'
import { findOrder } from './orders.queries.ts'

/** One order, for its customer or the browser that placed it. It is not found for anyone else. */
export function getOrderRoute(app: App, { db, browsers }: OrdersContext): void {
  app.get('/orders/:id', {
    config: { access: 'public', errors: ['not_found'] },
    schema: {
      summary: 'One order, for its customer or the browser that placed it',
      description:
        'Open to the signed-in customer of the order and, without a sign-in, to the browser that placed it or with ' +
        'the `accessToken`. For anyone else the order is not found, as if it did not exist.',
      // An id of any length is accepted and simply not found.
      params: z.object({ id: z.string().describe('Id or number of the order, from the response that placed it.') }),
      querystring: z.object({
        token: z
          .string()
          .optional()
          .describe('The `accessToken` of the order, for a link that must open it by itself.'),
      }),
      headers: z.looseObject({
        'x-order-token': z
          .string()
          .optional()
          .describe('The `accessToken` of the checkout, for clients without cookies.'),
      }),
      response: { 200: Order },
    },
    handler: async (request) => {
      const order = await findOrder(db, request.params.id)
      if (!order || !(await maySee(db, order, viewerOf(browsers, request, request.query.token)))) throw orderNotFound()
      return publicOrder(order)
    },
  })
}
