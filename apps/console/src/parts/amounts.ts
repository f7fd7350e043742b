import i18next from 'i18next'
import { minorUnitDigits } from '@storefront/contracts/currency'
import { toMajor, type Money } from './money.ts'

/** The decimal separator in the language of the person. */
export function decimalSeparator(): string {
  return new Intl.NumberFormat(i18next.language).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.'
}

/**
 * Reads an amount as people write it or copy it from a spreadsheet: `12.50`, `12,50`, `$1,234.50`, `1.234,50 €`.
 * @returns the amount in the smallest unit; undefined when it is not an amount, or could be one a thousand times larger
 */
export function readAmount(text: string, currency: string): number | undefined {
  const plain = text.replaceAll(/[\s'’\u00A0\u202F]|\p{Sc}|[A-Z]{3}/gu, '')
  if (!/^\d[\d.,]*$/.test(plain)) return undefined
  const digits = minorUnitDigits(currency)
  const parts = partsOf(plain, digits)
  if (!parts || parts.fraction.replace(/0+$/, '').length > digits) return undefined
  const minor = Number(parts.whole.replaceAll(/[.,]/g, '') + parts.fraction.slice(0, digits).padEnd(digits, '0'))
  return Number.isSafeInteger(minor) ? minor : undefined
}

/** The same with the currency of the amount. */
export function readMoney(text: string, currency: string): Money | undefined {
  const amount = readAmount(text, currency)
  return amount === undefined ? undefined : { amount, currency }
}

/** Groups of digits, also as in India: `1,00,000`. */
const GROUPED = /^[1-9]\d{0,2}(?=([.,]))(?:\1\d{2,3})*\1\d{3}$/

/** @returns undefined when a separator is misplaced or ambiguous */
function partsOf(plain: string, digits: number): { whole: string; fraction: string } | undefined {
  const last = Math.max(plain.lastIndexOf('.'), plain.lastIndexOf(','))
  if (last === -1) return { whole: plain, fraction: '' }
  const separator = plain.charAt(last)
  const parts = { whole: plain.slice(0, last), fraction: plain.slice(last + 1) }
  const isGrouped = GROUPED.test(plain)
  if (/\D/.test(parts.whole)) {
    if (GROUPED.test(parts.whole) && !parts.whole.includes(separator)) return parts
    return isGrouped ? { whole: plain, fraction: '' } : undefined
  }
  if (!isGrouped) return parts
  // A single separator before three digits is read only if language and currency leave it one meaning.
  if (digits === 3) return separator === decimalSeparator() ? parts : undefined
  return separator === decimalSeparator() ? undefined : { whole: plain, fraction: '' }
}

/** An amount as a person edits it, without the currency symbol. */
export function amountText({ amount, currency }: Money): string {
  const digits = minorUnitDigits(currency)
  const format = new Intl.NumberFormat(i18next.language, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping: false,
  })
  return format.format(toMajor(amount, currency))
}

/** An amount for messages, as people write it in the currency: `12.50`, or `1250` yen. */
export function exampleAmount(currency: string): string {
  return amountText({ amount: 1250, currency })
}

/** The most units that the shop stores of one variant. */
export const MAX_UNITS = 1_000_000_000

/** Reads a whole number, such as a stock. Undefined when it is none, or negative. */
export function readCount(text: string): number | undefined {
  const plain = text.replaceAll(/[\s'’\u00A0\u202F]/gu, '')
  return /^\d{1,15}$/.test(plain) ? Number(plain) : undefined
}
