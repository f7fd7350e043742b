import { z } from 'zod'
import { minorUnitDigits } from './currency.ts'

export { portionOf } from './portion-of.ts'

/** The currency of a shop that has set none. */
export const DEFAULT_CURRENCY = 'USD'

export const CurrencyCode = z.string().regex(/^[A-Z]{3}$/, 'must be a three-letter ISO 4217 currency code')

/** An amount in the currency's smallest unit. Never a float, never negative. */
export const Money = z
  .object({
    amount: z
      .int()
      .nonnegative()
      .describe('In the smallest unit of the currency, such as cents; whole units of JPY, KRW, VND, CLP and ISK.'),
    currency: CurrencyCode.describe('ISO 4217 code, such as `USD`.'),
  })
  .meta({ id: 'Money' })
export type Money = z.output<typeof Money>

/**
 * The highest price of one unit, in minor units: a full cart at this price (100 lines of 999) still is a safe integer.
 */
export const MAX_PRICE_MINOR = 10_000_000_000

/** A price as a merchant writes it. */
export const Price = Money.refine(({ amount }) => amount <= MAX_PRICE_MINOR, {
  message: `must not exceed ${MAX_PRICE_MINOR} minor units`,
  path: ['amount'],
})

/**
 * Builds a Money value.
 * @param amount in the currency's smallest unit
 * @throws RangeError when the amount is negative, fractional or beyond what an integer can hold exactly
 */
export function money(amount: number, currency: string): Money {
  if (!Number.isSafeInteger(amount) || amount < 0) throw new RangeError(`not an amount of money: ${amount}`)
  return { amount, currency }
}

/** Whether two amounts are the same amount of the same currency; null equals null alone. */
export function sameMoney(one: Money | null, other: Money | null): boolean {
  if (one === null || other === null) return one === other
  return one.amount === other.amount && one.currency === other.currency
}

/**
 * Writes an amount for a program or a spreadsheet, for example `336.00`; `12000` in a currency without minor units.
 * @param money a negative amount does not occur
 * @returns digits, with a point before the minor units where the currency has any
 */
export function decimalAmount({ amount, currency }: Money): string {
  const digits = minorUnitDigits(currency)
  const text = String(amount).padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** Making a formatter costs more than using it a hundred times; a shop needs one or two. */
const formatters = new Map<string, Intl.NumberFormat>()
const MAX_FORMATTERS = 100

function formatterFor(currency: string, locale: string): Intl.NumberFormat {
  const key = `${locale} ${currency}`
  const known = formatters.get(key)
  if (known) return known
  const digits = minorUnitDigits(currency)
  const made = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  if (formatters.size >= MAX_FORMATTERS) formatters.clear()
  formatters.set(key, made)
  return made
}

/** Writes an amount for a person, for example `$336.00` or `¥12,000`. @param locale a BCP 47 tag such as `en-US` */
export function formatMoney({ amount, currency }: Money, locale: string): string {
  return formatterFor(currency, locale).format(amount / 10 ** minorUnitDigits(currency))
}
