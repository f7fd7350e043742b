import { z } from 'zod'
import { Price } from './money.ts'

/** A shipping method as carts are priced with it: the configured method, with its price as Money. */
export const ShippingMethod = z.looseObject({
  id: z.string().min(1),
  label: z.string().optional(),
  price: Price,
  workingDays: z.int().nonnegative().optional(),
})
export type ShippingMethod = z.output<typeof ShippingMethod>

/** Rates are basis points: 800 is 8 percent. */
export const TaxRules = z.looseObject({
  defaultRate: z.int().nonnegative().default(0),
  rates: z
    .array(z.object({ country: z.string(), region: z.string().optional(), rate: z.int().nonnegative().max(100_000) }))
    .default([]),
  pricesIncludeTax: z.boolean().default(false),
  shippingTaxed: z.boolean().default(false),
})
export type TaxRules = z.output<typeof TaxRules>

/** How one order is taxed. An order has one rate, that of its destination. */
export const TaxTerms = z.object({
  /** In basis points: 800 is 8 percent. */
  rate: z.int().nonnegative(),
  /** Whether prices include the tax. */
  isIncluded: z.boolean(),
  /** Whether shipping is taxed as well. */
  onShipping: z.boolean(),
})
export type TaxTerms = z.output<typeof TaxTerms>

/**
 * The part of the configuration that determines cart prices, without unset values. It is part of the price projection.
 */
export const CommerceTerms = z.looseObject({
  /** Minor units of the shop's currency; null or left out for never. */
  freeShippingOver: z.int().nonnegative().nullable().optional(),
  shippingMethods: z.array(ShippingMethod).optional(),
  /** Codes; earlier versions stored objects, which may still be in Redis. */
  countries: z.array(z.union([z.string(), z.looseObject({ code: z.string() })])).optional(),
  cutoffHour: z.int().min(0).max(23).optional(),
  timeZone: z.string().optional(),
  holidays: z.array(z.string()).optional(),
  tax: TaxRules.optional(),
})
export type CommerceTerms = z.output<typeof CommerceTerms>

/** @returns codes of the countries that the shop delivers to, in upper case; none means everywhere */
export function servedCountries(commerce: CommerceTerms): string[] {
  return (commerce.countries ?? []).map((country) =>
    (typeof country === 'string' ? country : country.code).toUpperCase(),
  )
}
