import { usePage } from '../../layout/page-context.ts'
import { describedBy, Entry, FieldNotes } from '../../parts/field.tsx'
import { safeLink } from '../../parts/safe-link.ts'
import { AddressFields } from './address-fields.tsx'
import { CheckoutSummary } from './checkout-summary.tsx'
import { REPRICE, sendsTo, type CheckoutProps } from './checkout-props.ts'
import type { Details } from './details.ts'
import type { Offer, PricedCheckout } from './price-checkout.ts'
import { ProblemSummary } from './problem-summary.tsx'

/** Not usable while an order is placed: the reply to a rejected one would show a code as it was before its change. */
const WHILE_PLACED = 'find .place-order, find .summary-code button, find #f-code ~ button'

export function CheckoutForm(props: CheckoutProps) {
  const { frame, language } = usePage()
  const { t, money } = language
  const { bagId, attempt, details, priced, problems, isNew } = props
  const { total } = priced.cart
  const { checkout } = frame.settings
  const isPaidElsewhere = checkout?.mode === 'redirect' || checkout?.mode === 'razorpay'
  return (
    <form
      id="checkout-form"
      class="checkout-form"
      method="post"
      action="/checkout"
      noValidate
      hx-post="/checkout"
      hx-target="#checkout"
      hx-swap="innerMorph"
      hx-sync="this:drop"
      hx-disable={WHILE_PLACED}
      data-keeps-draft={isNew ? 'new' : ''}
      data-lost={t('checkout.lost')}
      data-customer={props.customer?.email}
    >
      {/* The Enter key presses the first button of a form. */}
      <button class="visually-hidden" tabindex={-1} aria-hidden="true" />
      <input type="hidden" name="bag" value={bagId} />
      <input type="hidden" name="attempt" value={attempt} />
      <input type="hidden" name="seen" value={total.amount} />
      <CheckoutSummary {...props} />
      <div class="checkout-fields">
        <ProblemSummary problems={problems} />
        <AddressFields {...props} />
        <Delivery details={details} priced={priced} problem={problems.fields.method} />
        <Gift text={details.gift} problem={problems.fields.gift} />
        <section class="checkout-pay">
          <h2>{t('checkout.payTitle')}</h2>
          <p>{t(isPaidElsewhere ? 'checkout.payNext' : 'checkout.payLater')}</p>
          {checkout?.mode === 'razorpay' && <p class="notice script-off">{t('checkout.needsScript')}</p>}
          <p class="checkout-total">
            <span>{t('bag.total')}</span> <strong>{money(total)}</strong>
          </p>
          {checkout?.termsUrl && (
            <p class="hint">
              {t('checkout.terms')} <a href={safeLink(checkout.termsUrl)}>{t('checkout.termsLink')}</a>
            </p>
          )}
          <button class="button button-wide place-order">
            {t(isPaidElsewhere ? 'checkout.toPayment' : 'checkout.place', { amount: money(total) })}
          </button>
        </section>
      </div>
    </form>
  )
}

function Delivery({
  details,
  priced: { offers, chosen, cart },
  problem,
}: {
  details: Details
  priced: PricedCheckout
  problem: string | undefined
}) {
  const { t } = usePage().language
  if (offers.length === 0) return null
  return (
    <fieldset class="checkout-part" id="f-method" {...describedBy({ id: 'f-method', problem })}>
      <legend>{t('checkout.delivery')}</legend>
      <FieldNotes id="f-method" problem={problem} />
      <div class="choices">
        {offers.map((offer) => (
          <DeliveryChoice offer={offer} currency={cart.currency} isChosen={offer.method.id === chosen} />
        ))}
      </div>
      {details.country !== '' && (
        <button class="button button-outline script-off" {...sendsTo('/checkout/price')}>
          {t('checkout.updateTotal')}
        </button>
      )}
    </fieldset>
  )
}

function DeliveryChoice({ offer, currency, isChosen }: { offer: Offer; currency: string; isChosen: boolean }) {
  const { t, money, amount, day } = usePage().language
  const { method, shipping, arrivesAt } = offer
  const { id, label, note, price, guaranteed } = method
  const cost = shipping ? money(shipping) : amount(price, currency)
  const isFree = (shipping?.amount ?? price) === 0
  return (
    <label class="choice">
      <input type="radio" id={`method-${id}`} name="method" value={id} checked={isChosen} {...REPRICE} />
      <span>
        {label || id}
        {note && <span class="hint"> {note}</span>}
        {arrivesAt && (
          <span class="hint choice-note">
            {t(guaranteed === true ? 'checkout.arrivesOn' : 'checkout.arrives', { day: day(arrivesAt) })}
          </span>
        )}
      </span>
      <span class="bag-amount">{isFree ? t('bag.shippingFree') : cost}</span>
    </label>
  )
}

const MAX_GIFT_LENGTH = 500

function Gift({ text, problem }: { text: string; problem: string | undefined }) {
  const { t } = usePage().language
  const notes = { id: 'f-gift', hint: t('checkout.giftHint', { count: MAX_GIFT_LENGTH }), problem }
  return (
    <details class="checkout-part checkout-gift" open={text !== '' || problem !== undefined}>
      <summary>{t('checkout.giftAdd')}</summary>
      <Entry {...notes} label={t('checkout.gift')}>
        <textarea id="f-gift" name="gift" rows={4} maxlength={MAX_GIFT_LENGTH} {...describedBy(notes)}>
          {text}
        </textarea>
      </Entry>
    </details>
  )
}
