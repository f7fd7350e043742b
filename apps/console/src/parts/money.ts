import i18next from 'i18next'

export interface Money {
  amount: number
  currency: string
}

const formats = new Map<string, Intl.NumberFormat>()

function formatOf(currency: string): Intl.NumberFormat {
  const name = `${i18next.language} ${currency}`
  const format = formats.get(name) ?? new Intl.NumberFormat(i18next.language, { style: 'currency', currency })
  formats.set(name, format)
  return format
}

/** How many digits of an amount are behind the decimal point: 2 for USD, 0 for JPY. */
export function fractionDigits(currency: string): number {
  return formatOf(currency).resolvedOptions().maximumFractionDigits ?? 2
}

/** An amount as people of the language write it. */
export function formatMoney({ amount, currency }: Money): string {
  return formatOf(currency).format(toMajor(amount, currency))
}

/** @returns the amount in units that people enter, such as dollars */
export function toMajor(amount: number, currency: string): number {
  return amount / 10 ** fractionDigits(currency)
}

/** @returns the amount in the smallest unit */
export function toMinor(entered: number, currency: string): number {
  return Math.round(entered * 10 ** fractionDigits(currency))
}
