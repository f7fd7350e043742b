import { timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { App } from '@storefront/http'
import { CheckoutSession } from '@storefront/contracts'
import { hashSecret, maySee, viewerOf, type Viewer } from '../access/capability.ts'
import { isDeletedCustomer } from '../access/closed-orders.queries.ts'
import type { OrdersContext } from '../context.ts'
import { sessionNotFound } from '../errors.ts'
import { findOrderOfCart } from '../orders/orders.queries.ts'
import type { StoredSession } from '../sessions/session.ts'
import { findSession } from '../sessions/sessions.queries.ts'

/** The state of a checkout at a payment provider, for the caller who started it. It is not found for anyone else. */
export function getCheckoutSessionRoute(app: App, { db, browsers }: OrdersContext): void {
  app.get('/checkout/sessions/:id', {
    config: { access: 'public', errors: ['not_found'] },
    schema: {
      summary: 'The state of a checkout at a payment provider',
      description:
        'For the page that the buyer returns to: once the payment has made an order, its `orderId` and `number` are here. ' +
        'A checkout that the caller did not start is not found.',
      params: z.object({ id: z.string().max(200).describe('The `id` in the response of the checkout.') }),
      querystring: z.object({
        token: z
          .string()
          .max(200)
          .optional()
          .describe('The `accessToken` of that response, for clients without cookies.'),
      }),
      response: { 200: CheckoutSession },
    },
    handler: async (request) => {
      const viewer = viewerOf(browsers, request, request.query.token)
      const session = await findSession(db, request.params.id)
      if (!session || !maySeeSession(session, viewer)) throw sessionNotFound()
      const { id, status, cartId, customerId } = session
      if (customerId !== null && (await isDeletedCustomer(db, customerId))) throw sessionNotFound()
      const order = await findOrderOfCart(db, cartId)
      if (!order || !(await maySee(db, order, viewer))) return { id, status }
      return { id, status, orderId: order.id, number: order.number }
    },
  })
}

/** As with orders, a signed-in session takes precedence over the browser (docs/contract.md). */
function maySeeSession({ customerId, secretHashes }: StoredSession, { actor, secrets }: Viewer): boolean {
  if (actor.kind === 'customer') return actor.customerId === customerId
  return secrets.map(hashSecret).some((hash) => secretHashes.some((known) => timingSafeEqual(hash, known)))
}
