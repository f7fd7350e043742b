import { minorUnitDigits } from '@storefront/contracts'

/** Providers take amounts in a currency with three decimals only if their last digit is 0. */
export function isChargeable(amount: number, currency: string): boolean {
  return minorUnitDigits(currency.toUpperCase()) < 3 || amount % 10 === 0
}
