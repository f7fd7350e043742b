import i18next, { t } from 'i18next'
import { formatMoney } from '../../parts/money.ts'
import type { Discount } from './discounts-queries.ts'

/** What a code takes off, in words. */
export function worthOf({ kind, value }: Pick<Discount, 'kind' | 'value'>, currency: string | undefined): string {
  if (kind === 'shipping') return t('discounts.worth.shipping')
  if (kind === 'percent') {
    const percent = new Intl.NumberFormat(i18next.language, { style: 'percent' }).format(value / 100)
    return t('discounts.worth.off', { worth: percent })
  }
  if (currency === undefined) return '…'
  return t('discounts.worth.off', { worth: formatMoney({ amount: value, currency }) })
}
