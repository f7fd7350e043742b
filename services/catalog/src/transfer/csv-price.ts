import { minorUnitDigits } from '@storefront/contracts'
import type { CsvSeparator } from '@storefront/contracts/product-csv'
import { minorUnitsOf } from './decimal-price.ts'
import { quoted } from './shopify-row.ts'

/** `19,90`, but not three digits after the comma, which could be thousands. */
const QUOTED_CENTS = /^\d+,\d{2}$/
const DECIMAL = /^(\d+)[.,](\d+)$/
/** `1.234,50` or `1.234.567`. */
const WITH_THOUSANDS = /^(\d{1,3}(?:\.\d{3})+),(\d+)$|^(\d{1,3}(?:\.\d{3}){2,})$/
/** `1.234` may mean 1234 or 1.234. */
const TWO_READINGS = /^[1-9]\d{0,2}[.,]\d{3}$/

/**
 * Reads a price into minor units. A file that is not separated by commas may have decimal commas, which spreadsheets in
 * many countries write.
 * @returns a description of the problem if it is not an amount, or ambiguous
 */
export function readCsvPrice(
  text: string,
  { currency, separator }: { currency: string; separator: CsvSeparator },
): number | string {
  if (separator !== ',' && TWO_READINGS.test(text)) {
    const digits = text.replace(/[.,]/, '')
    return `must be clear: ${quoted(text)} could be ${digits} or ${text.replace(',', '.')}; write ${digits} if that is meant`
  }
  const plain = separator === ',' ? withoutQuotedComma(text) : withDecimalPoint(text)
  return (
    minorUnitsOf(plain, currency) ??
    `must be an amount of ${currency} in digits, such as ${exampleOf(currency, separator)}, not ${quoted(text)}`
  )
}

function exampleOf(currency: string, separator: CsvSeparator): string {
  if (minorUnitDigits(currency) === 0) return '1990'
  return separator === ',' ? '19.90' : '19,90'
}

function withoutQuotedComma(text: string): string {
  return QUOTED_CENTS.test(text) ? text.replace(',', '.') : text
}

function withDecimalPoint(text: string): string {
  const [, before, after, whole] = WITH_THOUSANDS.exec(text) ?? []
  if (whole !== undefined) return whole.replaceAll('.', '')
  if (before !== undefined) return `${before.replaceAll('.', '')}.${after}`
  return DECIMAL.test(text) ? text.replace(',', '.') : text
}
