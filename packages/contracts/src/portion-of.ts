// In a separate file, because the console loads it without the schemas.
/**
 * Multiplies an amount by a rate and rounds half up, once.
 * @param amount in minor units, not negative
 * @param rate how many of `per`, for example 825 of 10000 for 8.25 percent
 * @param per the whole that the rate refers to: 100 for percent, 10000 for basis points
 * @returns minor units
 */
export function portionOf(amount: number, rate: number, per: number): number {
  const product = amount * rate
  // Up to this limit, twice the product plus `per` is exact.
  if (product <= 2 ** 51) return Math.floor((2 * product + per) / (2 * per))
  return Number((2n * BigInt(amount) * BigInt(rate) + BigInt(per)) / (2n * BigInt(per)))
}
