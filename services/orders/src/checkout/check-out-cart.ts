import { z } from 'zod'
import { newSecret, rememberBrowser, type App } from '@storefront/chassis'
import { Order } from '@storefront/contracts'
import { grant, maySee, viewerOf } from '../access/capability.ts'
import type { OrdersContext } from '../context.ts'
import { orderNotFound } from '../errors.ts'
import { publicOrder, type StoredOrder } from '../orders/order.ts'
import { findOrderOfCart } from '../orders/orders.queries.ts'
import { CheckoutBody, detailsOf } from './checkout-body.ts'
import { checkOut } from './checkout.ts'

/** Buys a cart. A cart that was bought already answers the same order to whoever bought it. */
export function checkOutCartRoute(app: App, context: OrdersContext): void {
  app.post(
    '/carts/:id/checkout',
    {
      config: { access: 'public' },
      schema: {
        tags: ['Checkout'],
        summary: 'Buy the cart',
        params: z.object({ id: z.string().max(200) }),
        body: CheckoutBody.nullish(),
        response: { 200: Order },
      },
    },
    async (request, reply) => {
      const cartId = request.params.id
      const viewer = viewerOf(request)
      const browser = rememberBrowser(request, reply, context.cookieCrossSite)
      const accessToken = newSecret()
      const answer = (order: StoredOrder) => ({ ...publicOrder(order), accessToken })

      const existing = await findOrderOfCart(context.db, cartId)
      if (existing) {
        if (!(await maySee(context.db, existing, viewer))) throw orderNotFound()
        await grant(context.db, existing.id, [accessToken])
        return answer(existing)
      }
      const details = detailsOf(request.body)
      const secrets = [browser, accessToken]
      const { actor, actorToken } = request
      const customerId = actor.kind === 'customer' ? actor.customerId : undefined
      return answer(await checkOut(context, { cartId, details, actorToken, customerId, secrets }))
    },
  )
}
