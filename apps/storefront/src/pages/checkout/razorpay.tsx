import type { components } from '@storefront/client'
import { usePage } from '../../layout/page-context.ts'
import type { Details } from './details.ts'

/** The default script renders its form in a frame of another host. */
const RAZORPAY_HOST = 'https://checkout.razorpay.com'
const RAZORPAY_FRAMES = 'https://api.razorpay.com'

/** What the policy of the page has to allow for Razorpay's form, and nothing else. */
export function razorpayOrigins(script: string): { script: string; frames: readonly string[] } {
  const { origin } = new URL(script)
  return { script: origin, frames: origin === RAZORPAY_HOST ? [origin, RAZORPAY_FRAMES] : [origin] }
}

interface RazorpayProps {
  payment: components['schemas']['RazorpayCheckout']
  details: Details
  bagId: string
  script: string
}

/** A script opens Razorpay's form with these, and sends its result with the second form. */
export function RazorpayForm({ payment, details, bagId, script }: RazorpayProps) {
  const { frame, language } = usePage()
  const { t } = language
  const { razorpay_order_id: order, amount, currency, key_id: key } = payment
  return (
    <section
      id="razorpay"
      class="checkout-pay"
      data-script={script}
      data-order={order}
      data-amount={amount}
      data-currency={currency}
      data-key={key}
      data-shop={frame.settings.store?.name ?? ''}
      data-name={details.name}
      data-email={details.email}
      data-phone={details.phone}
    >
      <h2>{t('checkout.payTitle')}</h2>
      <p role="status">{t('checkout.payOpening')}</p>
      <noscript>
        <p class="notice notice-problem">{t('checkout.needsScript')}</p>
      </noscript>
      <form hx-post="/checkout/paid" hx-target="#checkout" class="script-on" data-lost={t('checkout.paymentUnknown')}>
        <input type="hidden" name="bag" value={bagId} />
        <input type="hidden" name="razorpay_order_id" value={order} />
        <input type="hidden" name="razorpay_payment_id" />
        <input type="hidden" name="razorpay_signature" />
        <button type="button" class="button" data-opens-razorpay>
          {t('checkout.payOpen', { amount: language.amount(amount, currency) })}
        </button>
      </form>
      <p id="razorpay-problem" class="problem" role="alert" hidden>
        {t('checkout.payBlocked')}
      </p>
      <p>
        <a href="/checkout">{t('checkout.payBack')}</a>
      </p>
    </section>
  )
}
