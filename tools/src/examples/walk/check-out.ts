import { textAt } from '../read-value.ts'
import { buy, cartWith, checkoutOf, until, untilPaid, client, type Walk } from './walk.ts'

const EMAIL = 'ada@example.com'

/** The three ways in which a shop is paid: in the background, on a page of a provider, in the form of Razorpay. */
export async function checkOut(walk: Walk): Promise<void> {
  const { recorder } = walk
  const caller = client()
  const order = await buy(walk, caller, EMAIL, 2)
  const id = textAt(order, 'id')
  await untilPaid(walk, id)
  const headers = { 'x-order-token': textAt(order, 'accessToken') }
  await recorder.call(client(), 'GET /orders/{id}', { path: { id }, headers })
  await recorder.call(caller, 'POST /orders/lookup', { body: { number: textAt(order, 'number'), email: EMAIL } })
  await payOnPage(walk)
  await payInForm(walk)
}

async function sellBy({ recorder, admin }: Walk, checkout: object): Promise<void> {
  await recorder.call(admin, 'PATCH /admin/storefront', { body: { store: { tagline: 'Made to last' } } })
  await recorder.call(admin, 'PATCH /admin/storefront', { body: { checkout } })
}

async function payOnPage(walk: Walk): Promise<void> {
  const { recorder } = walk
  await sellBy(walk, { mode: 'redirect', provider: 'demo' })
  const caller = client()
  const cart = await cartWith(walk, caller, 1)
  const page = await recorder.call(caller, 'POST /checkout/sessions', {
    headers: { 'idempotency-key': `order-of-${cart}` },
    body: {
      ...checkoutOf(EMAIL),
      cart_id: cart,
      success_url: 'http://localhost:5173/thanks?order={ORDER_ID}',
      cancel_url: 'http://localhost:5173/cart',
    },
  })
  const path = { id: textAt(page, 'id') }
  const paid = await fetch(`${textAt(page, 'url')}/pay`, { method: 'POST', redirect: 'manual' })
  await paid.arrayBuffer()
  // Not recorded before it is an order: the example is to show where the buyer goes on.
  await until('the page of the demo provider is paid', async () => {
    const session = await recorder.peek(caller, 'GET /checkout/sessions/{id}', { path })
    return textAt(session, 'status') === 'completed'
  })
  await recorder.call(caller, 'GET /checkout/sessions/{id}', { path })
}

async function payInForm(walk: Walk): Promise<void> {
  const { recorder, admin, razorpay } = walk
  const secrets = { razorpayKeySecret: razorpay.keySecret, razorpayWebhookSecret: razorpay.webhookSecret }
  await recorder.call(admin, 'POST /admin/credentials', { body: secrets })
  await recorder.call(admin, 'GET /admin/credentials')
  await sellBy(walk, { mode: 'razorpay', provider: 'razorpay', razorpayKeyId: razorpay.keyId })
  const caller = client()
  const cart = await cartWith(walk, caller, 1)
  const form = await recorder.call(caller, 'POST /carts/{id}/checkout', { path: { id: cart }, body: checkoutOf(EMAIL) })
  const orderId = textAt(form, 'razorpay_order_id')
  const result = razorpay.pay(orderId)
  await recorder.call(caller, 'POST /payments/verify', { body: result })
  const { headers, body } = razorpay.webhook('payment.captured', { payment: result.razorpay_payment_id })
  const { 'content-type': type, ...signed } = headers
  const call = { path: { provider: 'razorpay' }, headers: signed, body: body.toString(), ...(type && { type }) }
  await recorder.call(client(), 'POST /webhooks/{provider}', call)
  await sellBy(walk, { mode: 'demo', provider: null })
}
