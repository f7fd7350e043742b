import { DAY_MS } from '@storefront/service'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { networkOf, newSecret } from '@storefront/http'
import { CheckoutResponse, REPEATED_HEADER, type ErrorCode } from '@storefront/contracts'
import { grant, hashSecret, maySee, viewerOf } from '../access/capability.ts'
import { isClosed, isDeletedCustomer } from '../access/closed-orders.queries.ts'
import type { OrdersContext } from '../context.ts'
import { orderNotFound } from '../errors.ts'
import { respondOnce, KEY_MEMORY_DAYS } from '../idempotency/respond-once.ts'
import { publicOrder, type StoredOrder } from '../orders/order.ts'
import { findOrderOfCart } from '../orders/orders.queries.ts'
import { razorpayForm } from '../pay/razorpay-form.ts'
import { PAID_WITHOUT_PAGE } from '../payments/providers.ts'
import { admitToSession, findSession, hasSession } from '../sessions/sessions.queries.ts'
import {
  detailsOf,
  pageOfShop,
  requirePagesOfStorefront,
  type CheckoutBody,
  type CheckoutDetails,
} from './checkout-body.ts'
import { checkOut, type CheckedOut } from './checkout.ts'
import { countCheckout } from './checkout-metrics.ts'
import { requireFilledCart } from './require-filled-cart.ts'

/** The errors of both checkout routes beside those of every route. */
export const CHECKOUT_ERRORS: readonly ErrorCode[] = [
  'bad_gateway',
  'cart_not_found',
  'conflict',
  'currency_mismatch',
  'email_required',
  'empty_cart',
  'idempotency_mismatch',
  'insufficient_inventory',
  'invalid_discount',
  'invalid_email',
  'invalid_shipping_method',
  'missing_fields',
  'not_found',
  'out_of_stock',
  'undeliverable_country',
]

/** Checks out a cart, for both checkout routes. The same Idempotency-Key gets the same response. */
export function respondToCheckout(
  context: OrdersContext,
  call: { request: FastifyRequest; reply: FastifyReply },
  cartId: string,
  body: z.output<typeof CheckoutBody> | null | undefined,
): Promise<void> {
  return countCheckout(() => respondOnceFor(context, call, cartId, body))
}

async function respondOnceFor(
  context: OrdersContext,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  cartId: string,
  body: z.output<typeof CheckoutBody> | null | undefined,
): Promise<void> {
  const { db, browsers } = context
  const viewer = viewerOf(browsers, request)
  const accessToken = newSecret()
  const browser = browsers.rotate(request, cartId)
  const secretsOfCaller = [browser.secret, accessToken]
  return respondOnce(
    context,
    { request, reply, operation: 'checkout', subject: cartId, schema: CheckoutResponse, happensOnce: true },
    {
      async work(secretOfKey) {
        const keySecrets = secretOfKey === undefined ? [] : [secretOfKey]
        const existing = await findOrderOfCart(db, cartId)
        if (existing) {
          // The key opens the order only while its response would be stored: some keys are not secret, such as the
          // cart's id.
          const ageMs = context.clock.now().getTime() - existing.placedAt.getTime()
          const validKeySecrets = ageMs < KEY_MEMORY_DAYS * DAY_MS ? keySecrets : []
          // The second of two clicks at once sends the old cookie, to which the first one granted no access.
          const secrets = [...viewer.secrets, browser.secret, ...validKeySecrets]
          if (!(await maySee(db, existing, { ...viewer, secrets }))) throw orderNotFound()
          await grant(db, existing.id, secretsOfCaller)
          browser.send(reply)
          return orderResponse(context, existing, { accessToken, successUrl: body?.success_url, isNew: false })
        }
        const { actor, actorToken } = request
        const customerId = actor.kind === 'customer' ? actor.customerId : undefined
        const details = await detailsOrFaultOfCart(context, { cartId, actorToken }, body)
        const secrets = [...secretsOfCaller, ...keySecrets]
        const buyer = { browser: browser.name, customerId, network: networkOf(request, context.verifyActor) }
        const seen = body?.seen_total && { seenTotal: body.seen_total }
        const isRepeated = request.headers[REPEATED_HEADER] !== undefined
        const lost = isRepeated && secretOfKey !== undefined && { secretOfLost: secretOfKey }
        const parties = { actorToken, customerId, buyer, secrets }
        const checkedOut = await checkOut(context, { cartId, details, ...parties, ...seen, ...lost })
        browser.send(reply)
        if (checkedOut.kind === 'session') return sessionResponse(checkedOut, accessToken)
        const { order, isNew = false } = checkedOut
        return orderResponse(context, order, { accessToken, successUrl: details.successUrl, isNew })
      },
      async renew({ id }) {
        if (typeof id !== 'string') return undefined
        await admit(context, id, secretsOfCaller)
        browser.send(reply)
        return accessToken
      },
    },
  )
}

/** What is wrong with the cart comes first: a buyer whose cart is empty need not complete an address. */
async function detailsOrFaultOfCart(
  context: OrdersContext,
  cart: { cartId: string; actorToken: string | undefined },
  body: z.output<typeof CheckoutBody> | null | undefined,
): Promise<CheckoutDetails> {
  try {
    return detailsOf(body)
  } catch (error) {
    await requireFilledCart(context, cart)
    throw error
  }
}

/** An order, with the success page, because the storefront may be waiting for a redirect. */
async function orderResponse(
  { db, publicUrl, storefrontOrigins }: OrdersContext,
  order: StoredOrder,
  { accessToken, successUrl, isNew }: { accessToken: string; successUrl: string | undefined; isNew: boolean },
): Promise<CheckoutResponse> {
  const response = { ...publicOrder(order), accessToken }
  const wasPaidOnPage = async () => !isNew && (await hasSession(db, order.id))
  if (PAID_WITHOUT_PAGE.has(order.payment.provider) && !(await wasPaidOnPage())) return response
  requirePagesOfStorefront({ successUrl, cancelUrl: undefined }, storefrontOrigins)
  return { ...response, url: pageOfShop(successUrl, order.id) ?? `${publicUrl}/payments/done?order=${order.id}` }
}

function sessionResponse(
  { session, terms }: Extract<CheckedOut, { kind: 'session' }>,
  accessToken: string,
): CheckoutResponse {
  if (terms.checkoutMode !== 'razorpay') {
    if (session.url === null) throw new Error(`${session.provider} returned no payment page for session ${session.id}`)
    return { url: session.url, id: session.id, accessToken }
  }
  return razorpayForm(session, terms)
}

/**
 * Grants the browser that receives a stored response access to what it names: it may not be the browser that got the
 * first.
 * @throws HttpError `not_found` when the account of its customer was deleted meanwhile
 */
async function admit({ db }: OrdersContext, id: string, secrets: readonly string[]): Promise<void> {
  const session = await findSession(db, id)
  if (!session) {
    if (await isClosed(db, id)) throw orderNotFound()
    return grant(db, id, secrets)
  }
  if (session.customerId !== null && (await isDeletedCustomer(db, session.customerId))) throw orderNotFound()
  const secretHashes = secrets.map(hashSecret)
  const { discountClaim } = session
  if (await admitToSession(db, id, { secretHashes, discountClaim })) return
  const order = await findOrderOfCart(db, session.cartId)
  // A page that was left or has expired became no order: there is nothing to grant.
  if (!order) return
  if (await isClosed(db, order.id)) throw orderNotFound()
  await grant(db, order.id, secrets)
}
