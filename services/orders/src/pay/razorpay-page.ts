import escapeHtml from 'escape-html'
import type { Quote } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import type { StoredSession } from '../sessions/session.ts'
import { page } from './send-page.ts'

/** Razorpay has no page to redirect to: a form leads to its hosted checkout, without script. */
export function razorpayPage(
  { publicUrl, razorpayUrl }: Pick<OrdersContext, 'publicUrl' | 'razorpayUrl'>,
  { id, providerSession, email, document }: StoredSession,
  { razorpayKeyId, storeName }: Quote['terms'],
): string {
  if (providerSession === null || razorpayKeyId === undefined) throw new Error('razorpay returned no order id')
  const query = `session=${encodeURIComponent(id)}`
  const fields = {
    key_id: razorpayKeyId,
    order_id: providerSession,
    amount: String(document.total.amount),
    currency: document.total.currency,
    name: storeName,
    'prefill[name]': document.shippingAddress.name,
    'prefill[email]': email,
    'prefill[contact]': document.shippingAddress.phone,
    callback_url: `${publicUrl}/pay/returned?${query}`,
    cancel_url: `${publicUrl}/payments/done?${query}`,
  }
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  )
  return page({
    title: 'Pay with Razorpay',
    content: `<h1>Pay with Razorpay</h1>
<p>Your items are reserved. You pay on the page of Razorpay.</p>
<form method="post" action="${escapeHtml(`${razorpayUrl}/v1/checkout/embedded`)}">${inputs.join('\n')}
<button>Continue to Razorpay</button></form>`,
  })
}
