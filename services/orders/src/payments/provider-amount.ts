import { minorUnitDigits, type Money } from '@storefront/contracts'
import { ProviderRejection } from './provider.ts'

/**
 * The number of decimal digits of a provider's smallest unit. Providers differ from us, and from each other, in a few
 * currencies: without conversion an amount would be a hundred times too large.
 */
export interface ProviderUnits {
  provider: string
  /** Currencies without decimals; those with three decimals are the same as ours. */
  zeroDecimal: ReadonlySet<string>
}

/**
 * Stripe and Razorpay take an amount in a currency with three decimals only if its last digit is 0. The configuration
 * allows neither in such a currency; a shop may have been set up before that.
 */
const STEP_OF_THOUSANDTHS = 10

/** @throws ProviderRejection when the provider has no unit small enough, or takes no amount this exact */
export function toProviderAmount({ amount, currency }: Money, units: ProviderUnits): number {
  const shift = shiftOf(currency, units)
  const theirs = shift < 0 ? amount / 10 ** -shift : amount * 10 ** shift
  const step = minorUnitDigits(currency) === 3 ? STEP_OF_THOUSANDTHS : 1
  if (!Number.isSafeInteger(theirs) || theirs % step !== 0)
    throw new ProviderRejection(units.provider, `amount cannot be expressed in ${currency}`)
  return theirs
}

export function fromProviderAmount(theirs: number, theirCurrency: string, units: ProviderUnits): Money {
  const currency = theirCurrency.toUpperCase()
  const shift = shiftOf(currency, units)
  return { amount: shift < 0 ? theirs * 10 ** -shift : Math.round(theirs / 10 ** shift), currency }
}

function shiftOf(currency: string, { zeroDecimal }: ProviderUnits): number {
  const ours = minorUnitDigits(currency)
  const theirs = zeroDecimal.has(currency) ? 0 : Math.max(ours, 2)
  return theirs - ours
}
