import type { components } from '@storefront/client'
import { isTaxIncluded } from '@storefront/contracts/tax-included'
import { usePage } from '../layout/page-context.ts'

/** The amounts of a cart or an order. */
export function Totals({
  cart,
}: {
  cart: Pick<components['schemas']['Cart'], 'subtotal' | 'discount' | 'shipping' | 'tax' | 'total' | 'discountCode'>
}) {
  const { t, money } = usePage().language
  const { subtotal, discount, shipping, tax, total, discountCode } = cart
  const isIncluded = isTaxIncluded(cart)
  return (
    <dl class="totals">
      <Amount label={t('bag.subtotal')} value={money(subtotal)} />
      {discount.amount > 0 && (
        <Amount label={t('bag.discount', { code: discountCode?.code ?? '' })} value={`−${money(discount)}`} />
      )}
      <Amount label={t('bag.shipping')} value={shipping.amount === 0 ? t('bag.shippingFree') : money(shipping)} />
      {tax.amount > 0 && !isIncluded && <Amount label={t('bag.tax')} value={money(tax)} />}
      <Amount label={t('bag.total')} value={money(total)} isTotal />
      {isIncluded && <Amount label={t('bag.taxIncluded')} value={money(tax)} />}
    </dl>
  )
}

function Amount({ label, value, isTotal = false }: { label: string; value: string; isTotal?: boolean }) {
  return (
    <div class={isTotal ? 'totals-sum' : undefined}>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  )
}
