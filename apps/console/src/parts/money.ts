import { minorUnitDigits } from '@storefront/contracts/currency'
import i18next from 'i18next'

export interface Money {
  amount: number
  currency: string
}

const formats = new Map<string, Intl.NumberFormat>()

function formatOf(currency: string): Intl.NumberFormat {
  const name = `${i18next.language} ${currency}`
  const known = formats.get(name)
  if (known) return known
  const digits = minorUnitDigits(currency)
  const format = new Intl.NumberFormat(i18next.language, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  formats.set(name, format)
  return format
}

/** An amount as people of the language write it. */
export function formatMoney({ amount, currency }: Money): string {
  return formatOf(currency).format(toMajor(amount, currency))
}

/** @returns the amount in units that people enter, such as dollars */
export function toMajor(amount: number, currency: string): number {
  return amount / 10 ** minorUnitDigits(currency)
}
