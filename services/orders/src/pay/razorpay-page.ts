import escapeHtml from 'escape-html'
import type { Quote } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import type { StoredSession } from '../sessions/session.ts'
import { razorpayForm } from './razorpay-form.ts'
import { page } from './send-page.ts'

/** Razorpay has no page to redirect to: a form leads to its hosted checkout, without script. */
export function razorpayPage(
  { publicUrl, razorpayUrl }: Pick<OrdersContext, 'publicUrl' | 'razorpayUrl'>,
  session: StoredSession,
  terms: Quote['terms'],
): string {
  const { id, email, document } = session
  const { razorpay_order_id, amount, currency, key_id } = razorpayForm(session, terms)
  const query = `session=${encodeURIComponent(id)}`
  const fields = {
    key_id,
    order_id: razorpay_order_id,
    amount: String(amount),
    currency,
    name: terms.storeName,
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
