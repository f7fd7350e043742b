import { usePage } from '../../layout/page-context.ts'
import { describedBy, Entry } from '../../parts/field.tsx'
import { Picture } from '../../parts/picture.tsx'
import { Totals } from '../../parts/totals.tsx'
import type { Cart } from '../bag/bag-contents.tsx'
import { sendsTo, type CheckoutProps } from './checkout-props.ts'

/** The bag with its amounts: closed on a phone, beside the form on a desk. */
export function CheckoutSummary({ priced: { cart }, problems, typedCode }: CheckoutProps) {
  const { frame, language } = usePage()
  const { t, money } = language
  return (
    <details class="checkout-summary">
      <summary>
        <span>{t('checkout.summary')}</span> <strong>{money(cart.total)}</strong>
      </summary>
      <div class="checkout-summary-body">
        <ul class="summary-lines">
          {cart.lines.map((line) => (
            <SummaryLine line={line} />
          ))}
        </ul>
        <p>
          <a href="/cart">{t('checkout.changeBag')}</a>
        </p>
        {frame.settings.features?.discountCodes !== false && (
          <Code cart={cart} typed={typedCode} problem={problems.fields.code} />
        )}
        <Totals cart={cart} />
      </div>
    </details>
  )
}

/** The lines of a bag or an order, to read. */
export function SummaryLine({ line }: { line: Cart['lines'][number] }) {
  const { t, money, number } = usePage().language
  const { title, options, image, quantity, lineTotal, available } = line
  const chosen = Object.values(options).join(' · ')
  return (
    <li class="summary-line">
      <Picture picture={{ ...image, alt: '' }} sizes="4rem" />
      <div>
        <p>
          {number(quantity)} × {title}
        </p>
        {chosen !== '' && <p class="hint">{chosen}</p>}
        {available === false && <p class="problem">{t('bag.withdrawn')}</p>}
      </div>
      <p class="bag-amount">{money(lineTotal)}</p>
    </li>
  )
}

function Code({ cart, typed, problem }: { cart: Cart; typed: string; problem: string | undefined }) {
  const { t } = usePage().language
  if (cart.discountCode) {
    const { code, label } = cart.discountCode
    return (
      <p class="summary-code">
        <strong>{code}</strong> <span class="hint">{label}</span>{' '}
        <button
          class="link"
          name="removeCode"
          value="1"
          {...sendsTo('/checkout/code')}
          aria-label={t('bag.codeRemove', { code })}
        >
          {t('bag.removeShort')}
        </button>
      </p>
    )
  }
  const notes = { id: 'f-code', problem }
  return (
    <Entry {...notes} label={t('bag.code')}>
      <div class="field-row">
        <input
          id="f-code"
          name="code"
          value={typed}
          maxlength={100}
          autocapitalize="characters"
          autocomplete="off"
          {...describedBy(notes)}
        />
        <button class="button button-outline" {...sendsTo('/checkout/code')}>
          {t('bag.codeApply')}
        </button>
      </div>
    </Entry>
  )
}
