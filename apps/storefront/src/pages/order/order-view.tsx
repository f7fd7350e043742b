import { addressLines } from '@storefront/contracts/address-lines'
import { usePage } from '../../layout/page-context.ts'
import { Icon } from '../../parts/icon.tsx'
import { Totals } from '../../parts/totals.tsx'
import type { Order } from '../../shop/catalog.ts'
import { SummaryLine } from '../checkout/checkout-summary.tsx'

/** What happens to an order, in this order. */
const STEPS = ['placed', 'paid', 'fulfilled', 'delivered'] as const

export function OrderView({ order, isGuest }: { order: Order; isGuest: boolean }) {
  const { frame, language } = usePage()
  const { t, date } = language
  const { number, status, placedAt, email, lines, giftMessage } = order
  return (
    <div class="order">
      <header>
        <p class="eyebrow">{t('order.placedOn', { day: date(placedAt) })}</p>
        <h1>{t('order.title', { number })}</h1>
        <p role="status">{t(`order.next.${nextOf(order)}`, { email })}</p>
      </header>
      {status === 'cancelled' ? <p class="notice">{t('order.cancelled')}</p> : <Timeline order={order} />}
      <Parcel order={order} />
      <Refunds order={order} />
      <div class="order-columns">
        <section>
          <h2>{t('order.lines')}</h2>
          <ul class="summary-lines">
            {lines.map((line) => (
              <SummaryLine line={line} />
            ))}
          </ul>
          <Totals cart={order} />
        </section>
        <section>
          <h2>{t('order.address')}</h2>
          <Address order={order} />
          {giftMessage && (
            <>
              <h2>{t('order.gift')}</h2>
              <p class="order-gift">{giftMessage}</p>
            </>
          )}
          {isGuest && frame.settings.features?.accounts !== false && (
            <>
              <h2>{t('order.account')}</h2>
              <p>{t('order.accountText', { email })}</p>
              <p>
                <a class="more" href="/account">
                  {t('order.accountLink')} <Icon name="arrow" />
                </a>
              </p>
            </>
          )}
          {frame.settings.store?.email && (
            <p class="hint">
              {t('order.help')} <a href={`mailto:${frame.settings.store.email}`}>{frame.settings.store.email}</a>
            </p>
          )}
        </section>
      </div>
    </div>
  )
}

/** The sentence about what happens next. */
function nextOf({
  status,
  payment,
}: Order): 'placed' | 'invoice' | 'failed' | 'paid' | 'fulfilled' | 'delivered' | 'cancelled' {
  if (status !== 'placed') return status
  if (payment.status === 'failed') return 'failed'
  return payment.provider === 'invoice' ? 'invoice' : 'placed'
}

function Timeline({ order: { status } }: { order: Order }) {
  const { t } = usePage().language
  const reached = STEPS.findIndex((step) => step === status)
  return (
    <ol class="steps" aria-label={t('order.steps')}>
      {STEPS.map((step, index) => (
        <li class={index <= reached ? 'step-done' : undefined} aria-current={index === reached ? 'step' : undefined}>
          <Icon name={index <= reached ? 'check' : 'dot'} />
          {t(`order.step.${step}`)}
        </li>
      ))}
    </ol>
  )
}

function Parcel({ order: { tracking } }: { order: Order }) {
  const { t } = usePage().language
  if (!tracking) return null
  const { carrier, code, url } = tracking
  const isLink = /^https?:\/\//i.test(url)
  return (
    <section class="notice">
      <h2>{t('order.parcel')}</h2>
      <p>
        {carrier} {code}
      </p>
      {isLink && (
        <p>
          <a href={url} rel="noreferrer">
            {t('order.track')}
          </a>
        </p>
      )}
    </section>
  )
}

function Refunds({ order: { refunds } }: { order: Order }) {
  const { t, money, date } = usePage().language
  const shown = refunds.filter(({ status }) => status !== 'failed')
  if (shown.length === 0) return null
  return (
    <section class="notice">
      <h2>{t('order.refunds')}</h2>
      <ul>
        {shown.map(({ id, amount, createdAt, status, reason }) => (
          <li key={id}>
            {t(status === 'pending' ? 'order.refundPending' : 'order.refundDone', {
              amount: money(amount),
              day: date(createdAt),
            })}
            {reason && <span class="hint"> {reason}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Address({ order: { shippingAddress, shippingMethod, email } }: { order: Order }) {
  const { frame, language } = usePage()
  const { settings } = frame
  const countryName = (code: string): string =>
    settings.commerce?.countries?.find(([listed]) => listed === code)?.[1] ?? language.country(code)
  const method = settings.commerce?.shippingMethods?.find(({ id }) => id === shippingMethod)
  const lines = [...addressLines(shippingAddress, countryName), shippingAddress.phone].filter(Boolean)
  return (
    <>
      <address>
        {lines.map((line) => (
          <span>{line}</span>
        ))}
      </address>
      <p class="hint">{[method?.label, email].filter(Boolean).join(' · ')}</p>
    </>
  )
}
