import { textAt } from '../read-value.ts'
import { buy, cartWith, checkoutOf, until, untilPaid, client, type StepContext } from './context.ts'

const EMAIL = 'ada@example.com'

/** The three modes of checkout: payment in the background, on a page of the provider, and in the form of Razorpay. */
export async function checkOut(context: StepContext): Promise<void> {
  const { recorder } = context
  const caller = client()
  const order = await buy(context, caller, EMAIL, 2)
  const id = textAt(order, 'id')
  await untilPaid(context, id)
  const headers = { 'x-order-token': textAt(order, 'accessToken') }
  await recorder.call(client(), 'GET /orders/{id}', { path: { id }, headers })
  await recorder.call(caller, 'POST /orders/lookup', { body: { number: textAt(order, 'number'), email: EMAIL } })
  await payOnPage(context)
  await payInForm(context)
}

async function setCheckout({ recorder, admin }: StepContext, checkout: object): Promise<void> {
  await recorder.call(admin, 'PATCH /admin/storefront', { body: { store: { tagline: 'Made to last' } } })
  await recorder.call(admin, 'PATCH /admin/storefront', { body: { checkout } })
}

async function payOnPage(context: StepContext): Promise<void> {
  const { recorder } = context
  await setCheckout(context, { mode: 'redirect', provider: 'demo' })
  const caller = client()
  const cart = await cartWith(context, caller, 1)
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
  // Recorded only when it is completed, so that the example shows the order and the address to continue at.
  await until('the page of the demo provider is paid', async () => {
    const session = await recorder.peek(caller, 'GET /checkout/sessions/{id}', { path })
    return textAt(session, 'status') === 'completed'
  })
  await recorder.call(caller, 'GET /checkout/sessions/{id}', { path })
}

async function payInForm(context: StepContext): Promise<void> {
  const { recorder, admin, razorpay } = context
  const secrets = { razorpayKeySecret: razorpay.keySecret, razorpayWebhookSecret: razorpay.webhookSecret }
  await recorder.call(admin, 'POST /admin/credentials', { body: secrets })
  await recorder.call(admin, 'GET /admin/credentials')
  await setCheckout(context, { mode: 'razorpay', provider: 'razorpay', razorpayKeyId: razorpay.keyId })
  const caller = client()
  const cart = await cartWith(context, caller, 1)
  const form = await recorder.call(caller, 'POST /carts/{id}/checkout', { path: { id: cart }, body: checkoutOf(EMAIL) })
  const orderId = textAt(form, 'razorpay_order_id')
  const result = razorpay.pay(orderId)
  await recorder.call(caller, 'POST /payments/verify', { body: result })
  const { headers, body } = razorpay.webhook('payment.captured', { payment: result.razorpay_payment_id })
  const { 'content-type': type, ...signed } = headers
  const call = { path: { provider: 'razorpay' }, headers: signed, body: body.toString(), ...(type && { type }) }
  await recorder.call(client(), 'POST /webhooks/{provider}', call)
  await setCheckout(context, { mode: 'demo', provider: null })
}
