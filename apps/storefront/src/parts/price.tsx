import { useLanguage } from '../layout/page-context.ts'
import type { Money } from '../shop/catalog.ts'
import type { ShownPrice } from './lowest-price.ts'

/** A discount below this percentage is not a sale: only the former price is shown. */
export const MIN_DISCOUNT = 5

/** @returns the whole percent that the price is below the former one; 0 below MIN_DISCOUNT */
function discountPercent(price: Money, before: Money | null): number {
  if (before === null || before.amount <= price.amount) return 0
  const percent = ((before.amount - price.amount) * 100) / before.amount
  return percent < MIN_DISCOUNT ? 0 : Math.round(percent)
}

export function Price({ price, before, isFrom = false }: ShownPrice) {
  const { t, money, number } = useLanguage()
  const wasHigher = before !== null && before.amount > price.amount
  const percent = discountPercent(price, before)
  return (
    <p class="price">
      <span class={wasHigher ? 'price-now price-reduced' : 'price-now'}>
        <PriceText price={price} isFrom={isFrom} />
      </span>
      {wasHigher && (
        <s class="price-before">
          <span class="visually-hidden">{t('common.wasPrice', { price: '' })}</span>
          {money(before)}
        </s>
      )}
      {percent > 0 && <span class="price-percent">−{number(percent)}%</span>}
    </p>
  )
}

/** Without a former price, for places with little room. */
export function PriceText({ price, isFrom = false }: Omit<ShownPrice, 'before'>) {
  const { t, money } = useLanguage()
  const text = money(price)
  return <>{isFrom ? t('common.fromPrice', { price: text }) : text}</>
}
