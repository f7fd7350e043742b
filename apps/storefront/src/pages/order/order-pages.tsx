import type { ComponentChildren } from 'preact'
import { Title } from '../../layout/head.tsx'
import { NotFound } from '../../server/error-page.tsx'
import { livePage, type LiveRequest, type LiveResult } from '../../server/live-page.tsx'
import type { App, Storefront } from '../../server/storefront.ts'
import type { Payment } from '../../server/visitor.ts'
import { found, type Order } from '../../shop/catalog.ts'
import { Loading } from '../../parts/loading.tsx'
import { customerOf } from '../account/customer-of.ts'
import { AutoReload, waitOf } from './auto-reload.tsx'
import { OrderView } from './order-view.tsx'
import { PaymentEnded, PaymentWait } from './payment-wait.tsx'

export function orderPages(app: App, storefront: Storefront): void {
  livePage(app, storefront, { route: '/order/:id', view: orderPage })
  livePage(app, storefront, { method: 'POST', route: '/orders/placed', view: deleteOrderedBag })
}

async function orderPage(request: LiveRequest): Promise<LiveResult> {
  const { params, query, payment, context } = request
  const id = params['id'] ?? ''
  const order = await readOrder(request, id)
  const address = `/order/${encodeURIComponent(id)}`
  if (order) return showOrder(request, order, address)
  // Any other address is that of an earlier order, which the payment has nothing to do with.
  if (payment && query.has('paid')) {
    const waiting = await showPayment(request, `${address}?paid=1`, payment)
    if (waiting) return waiting
  }
  // The order may be in the account. The page of the sign-in says that the session has ended, and deletes it.
  if (request.token !== undefined && !(await customerOf(request))) {
    return { redirect: `/account?next=${encodeURIComponent(address)}` }
  }
  return withoutOrder(request, address, {
    title: context.language.t('errorPage.notFoundTitle'),
    body: <NotFound />,
    status: 404,
  })
}

interface Message {
  title: string
  body: ComponentChildren
  status?: number
}

/** What is shown in place of the order, unless a script knows the session of its customer. */
function withoutOrder(request: LiveRequest, address: string, { title, body, status = 200 }: Message): LiveResult {
  const { hasScript, token, query } = request
  if (hasScript) return { ...resultOf(request, body, title), status }
  const isKnown = token !== undefined || query.get('token') !== null
  return {
    status,
    head: { title, isPrivate: true, style: 'checkout' },
    body: isKnown ? (
      body
    ) : (
      <>
        <section class="page" id="order-page" hx-get={address} hx-trigger="load">
          <Loading />
        </section>
        <noscript>{body}</noscript>
      </>
    ),
  }
}

/** By the token in the address, which the shop accepts only without a session, or by the session of the customer. */
async function readOrder({ shop, guest, query, token }: LiveRequest, id: string): Promise<Order | undefined> {
  const orderToken = query.get('token') ?? ''
  const params = { path: { id } }
  if (orderToken !== '' && orderToken.length <= 200) {
    const order = await found(guest.get('/orders/{id}', { params, headers: { 'x-order-token': orderToken } }))
    if (order) return order
  }
  return token === undefined ? undefined : found(shop.get('/orders/{id}', { params }))
}

function showOrder(request: LiveRequest, order: Order, address: string): LiveResult {
  const { query, payment, token, context } = request
  const orderToken = query.get('token')
  const again = orderToken === null ? address : `${address}?token=${encodeURIComponent(orderToken)}`
  const isPaid = payment !== undefined && (query.has('paid') || orderToken === payment.token)
  const wait = waitOf(query)
  // The payment of an invoice may take days.
  const isMoving = order.payment.status === 'pending' && order.payment.provider !== 'invoice'
  const body = (
    <>
      <OrderView order={order} isGuest={token === undefined} />
      {isMoving && <AutoReload address={again} wait={wait} />}
      {/* Any other order leaves the bag, and what was typed at the checkout, as they are. */}
      {isPaid && <div hx-post="/orders/placed" hx-trigger="load" hx-swap="none" data-forgets-draft />}
    </>
  )
  return resultOf(request, body, context.language.t('order.title', { number: order.number }))
}

/** The order of a payment, as soon as its provider has confirmed it. */
async function showPayment(
  request: LiveRequest,
  address: string,
  { id, token }: Payment,
): Promise<LiveResult | undefined> {
  const { guest, query, context } = request
  const session = await found(guest.get('/checkout/sessions/{id}', { params: { path: { id }, query: { token } } }))
  if (!session) return undefined
  const { t } = context.language
  if (session.orderId !== undefined) {
    request.setBag(undefined)
    return { redirect: `/order/${encodeURIComponent(session.orderId)}?token=${encodeURIComponent(token)}` }
  }
  if (session.status === 'cancelled' || session.status === 'failed' || session.status === 'expired') {
    return withoutOrder(request, address, { title: t('order.paymentEnded'), body: <PaymentEnded /> })
  }
  return resultOf(request, <PaymentWait address={address} wait={waitOf(query)} />, t('order.waitTitle'))
}

function resultOf({ hasScript }: LiveRequest, body: ComponentChildren, title: string): LiveResult {
  if (hasScript) {
    const fragment = (
      <>
        <Title text={title} />
        {body}
      </>
    )
    return { fragment }
  }
  return {
    head: { title, isPrivate: true, style: 'checkout', script: 'checkout' },
    body: (
      <section class="page" id="order-page">
        {body}
      </section>
    ),
  }
}

/** Deletes the payment, and a bag that was ordered: the browser still has both after the return from a provider. */
async function deleteOrderedBag(request: LiveRequest): Promise<LiveResult> {
  const { bagId, shop, setBag, setPayment } = request
  setPayment(undefined)
  const isGone = bagId !== undefined && !(await found(shop.get('/carts/{id}', { params: { path: { id: bagId } } })))
  if (isGone) setBag(undefined)
  return { fragment: '' }
}
