import i18next from 'i18next'
import { minorUnitDigits } from '@storefront/contracts/currency'
import { toMajor } from '../../../parts/money.ts'

/** The sign before the digits behind the point, in the language of the person. */
function decimalSign(): string {
  return new Intl.NumberFormat(i18next.language).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.'
}

/**
 * Reads an amount as people write it or copy it from a spreadsheet: `12.50`, `12,50`, `$1,234.50`, `1.234,50 €`.
 * @returns the amount in the smallest unit; undefined when it is not an amount
 */
export function readAmount(text: string, currency: string): number | undefined {
  const plain = text.replaceAll(/[\s'’\u00A0\u202F]|\p{Sc}|[A-Z]{3}/gu, '')
  if (!/^\d[\d.,]*$/.test(plain)) return undefined
  const at = decimalAt(plain)
  const whole = at === -1 ? plain : plain.slice(0, at)
  const fraction = at === -1 ? '' : plain.slice(at + 1)
  const digits = minorUnitDigits(currency)
  if (fraction.replace(/0+$/, '').length > digits) return undefined
  const minor = Number(whole.replaceAll(/[.,]/g, '') + fraction.slice(0, digits).padEnd(digits, '0'))
  return Number.isSafeInteger(minor) ? minor : undefined
}

/** @returns where the decimal sign is; -1 without one */
function decimalAt(plain: string): number {
  const last = Math.max(plain.lastIndexOf('.'), plain.lastIndexOf(','))
  if (last === -1) return -1
  const sign = plain.charAt(last)
  const other = sign === '.' ? ',' : '.'
  if (plain.includes(other)) return last
  const isGrouping = plain.indexOf(sign) !== last || (sign !== decimalSign() && plain.length - last === 4)
  return isGrouping ? -1 : last
}

/** An amount as a person edits it, without the sign of the currency. */
export function amountText({ amount, currency }: { amount: number; currency: string }): string {
  const digits = minorUnitDigits(currency)
  const format = new Intl.NumberFormat(i18next.language, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping: false,
  })
  return format.format(toMajor(amount, currency))
}

/** Reads a whole number, such as a stock. Undefined when it is none, or negative. */
export function readCount(text: string): number | undefined {
  const plain = text.replaceAll(/[\s'’\u00A0\u202F]/gu, '')
  return /^\d{1,10}$/.test(plain) ? Number(plain) : undefined
}
