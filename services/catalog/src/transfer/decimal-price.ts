import { minorUnitDigits } from '@storefront/contracts'

/**
 * Reads a price such as `19.90` into minor units, digit by digit.
 * @returns undefined when it is not a number in this form, or finer than the currency's smallest unit
 */
export function minorUnitsOf(text: string, currency: string): number | undefined {
  const match = /^(\d{1,15})(?:\.(\d{1,15}))?$/.exec(text.trim())
  if (!match) return undefined
  const digits = minorUnitDigits(currency)
  const fraction = match[2] ?? ''
  if (/[1-9]/.test(fraction.slice(digits))) return undefined
  const amount = BigInt(`${match[1]}${fraction.slice(0, digits).padEnd(digits, '0')}`)
  return amount <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(amount) : undefined
}
