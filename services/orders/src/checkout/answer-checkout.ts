import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { newSecret, rememberBrowser } from '@storefront/chassis'
import { CheckoutAnswer } from '@storefront/contracts'
import { grant, hashSecret, maySee, viewerOf } from '../access/capability.ts'
import type { OrdersContext } from '../context.ts'
import { orderNotFound } from '../errors.ts'
import { answerOnce } from '../idempotency/answer-once.ts'
import { publicOrder } from '../orders/order.ts'
import { findOrderOfCart } from '../orders/orders.queries.ts'
import { admitToSession, findSession } from '../sessions/sessions.queries.ts'
import { detailsOf, type CheckoutBody } from './checkout-body.ts'
import { checkOut, type CheckedOut } from './checkout.ts'

/** Buys a cart, for both addresses at which one may ask for it. The same Idempotency-Key gets the same answer. */
export async function answerCheckout(
  context: OrdersContext,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  cartId: string,
  body: z.output<typeof CheckoutBody> | null | undefined,
): Promise<void> {
  const { db } = context
  const viewer = viewerOf(request)
  const accessToken = newSecret()
  const secretsOfCaller = () => [rememberBrowser(request, reply, context.cookieCrossSite), accessToken]
  return answerOnce(
    context,
    { request, reply, operation: 'checkout', schema: CheckoutAnswer },
    {
      async work() {
        const secrets = secretsOfCaller()
        const existing = await findOrderOfCart(db, cartId)
        if (existing) {
          if (!(await maySee(db, existing, viewer))) throw orderNotFound()
          await grant(db, existing.id, secrets)
          return answerOf({ kind: 'order', order: existing }, accessToken)
        }
        const { actor, actorToken } = request
        const customerId = actor.kind === 'customer' ? actor.customerId : undefined
        const details = detailsOf(body)
        return answerOf(await checkOut(context, { cartId, details, actorToken, customerId, secrets }), accessToken)
      },
      async renew({ id }) {
        if (typeof id !== 'string') return undefined
        await admit(context, id, secretsOfCaller())
        return accessToken
      },
    },
  )
}

function answerOf(checkedOut: CheckedOut, accessToken: string): CheckoutAnswer {
  if (checkedOut.kind === 'order') return { ...publicOrder(checkedOut.order), accessToken }
  const { session, terms } = checkedOut
  if (terms.checkoutMode !== 'razorpay') {
    if (session.url === null) throw new Error(`${session.provider} gave session ${session.id} no page`)
    return { url: session.url, id: session.id, accessToken }
  }
  if (session.providerSession === null || terms.razorpayKeyId === undefined) throw new Error('razorpay named no order')
  const { amount, currency } = session.document.total
  return { razorpay_order_id: session.providerSession, amount, currency, key_id: terms.razorpayKeyId }
}

/** Lets the browser that got a kept answer see what it names: it may not be the one that got the first. */
async function admit({ db }: OrdersContext, id: string, secrets: readonly string[]): Promise<void> {
  const session = await findSession(db, id)
  if (session) {
    const secretHashes = secrets.map(hashSecret)
    const { discountClaim } = session
    if (await admitToSession(db, id, { secretHashes, discountClaim })) return
  }
  const order = await findOrderOfCart(db, session?.cartId ?? '')
  await grant(db, order?.id ?? id, secrets)
}
