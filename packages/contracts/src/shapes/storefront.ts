import { z } from 'zod'
import { Price } from '../money.ts'
import { Timestamp } from './common.ts'
import { NotificationSettings } from './notifications.ts'

export const ShippingMethod = z.looseObject({
  id: z.string().min(1),
  label: z.string().optional(),
  price: Price,
  workingDays: z.int().nonnegative().optional(),
})
export type ShippingMethod = z.output<typeof ShippingMethod>

export const TaxRules = z.looseObject({
  defaultRate: z.int().nonnegative().default(0),
  rates: z
    .array(z.object({ country: z.string(), region: z.string().optional(), rate: z.int().nonnegative().max(100_000) }))
    .default([]),
  pricesIncludeTax: z.boolean().default(false),
  shippingTaxed: z.boolean().default(false),
})
export type TaxRules = z.output<typeof TaxRules>

export const CommerceSettings = z.looseObject({
  freeShippingOver: z.int().nonnegative().nullable().optional(),
  shippingMethods: z.array(ShippingMethod).optional(),
  countries: z.array(z.union([z.string(), z.looseObject({ code: z.string() })])).optional(),
  cutoffHour: z.int().min(0).max(23).optional(),
  timeZone: z.string().optional(),
  holidays: z.array(z.string()).optional(),
  tax: TaxRules.optional(),
})
export type CommerceSettings = z.output<typeof CommerceSettings>

/** Country codes the store delivers to, in upper case; none means everywhere. */
export function servedCountries(commerce: CommerceSettings): string[] {
  return (commerce.countries ?? []).map((country) =>
    (typeof country === 'string' ? country : country.code).toUpperCase(),
  )
}

export const RailSource = z.looseObject({
  sort: z.string().optional(),
  category: z.string().nullable().optional(),
  collection: z.string().nullable().optional(),
  tags: z
    .union([z.string(), z.array(z.string())])
    .nullable()
    .optional(),
  limit: z.int().positive().optional(),
})
export type RailSource = z.output<typeof RailSource>

export const HomeSection = z.looseObject({ type: z.string(), source: RailSource.optional() })

const addressPart = z.string().max(200).nullable().optional()
/** Where the shop is, for the foot of its mails: a text of several lines, or its parts. */
export const StoreAddress = z.union(
  [
    z.string().max(500),
    z.looseObject({
      name: addressPart,
      line1: addressPart,
      line2: addressPart,
      city: addressPart,
      region: addressPart,
      postalCode: addressPart,
      country: addressPart,
    }),
  ],
  'must be a text of up to 500 characters, or an object with name, line1, line2, city, region, postalCode and country',
)
export type StoreAddress = z.output<typeof StoreAddress>

/** Part of a page, such as a link or a promise: a text, or an object of which the client knows the keys. */
const PageItem = z.union([z.string(), z.looseObject({})], 'must be a text or an object')

/** The document a merchant edits; unknown keys are kept, because the client may know them before we do. */
export const StorefrontConfiguration = z
  .looseObject({
    version: z.int().nonnegative().optional(),
    store: z
      .looseObject({
        name: z.string().optional(),
        tagline: z.string().optional(),
        logo: z.looseObject({ wordmark: z.string().optional() }).optional(),
        address: StoreAddress.nullable().optional(),
      })
      .optional(),
    pricing: z
      .looseObject({
        currency: z.string().optional(),
        locale: z.string().optional(),
        currencies: z.array(z.string()).optional(),
      })
      .optional(),
    commerce: CommerceSettings.optional(),
    features: z.looseObject({ wishlist: z.boolean().optional(), reviews: z.boolean().optional() }).optional(),
    navigation: z
      .looseObject({
        primary: z.array(PageItem).optional(),
        footer: z.array(PageItem).optional(),
        announcement: z.looseObject({ messages: z.array(PageItem).optional() }).optional(),
      })
      .optional(),
    home: z.array(HomeSection).optional(),
    recommendations: z.looseObject({ strategy: z.string().optional(), limit: z.int().optional() }).optional(),
    checkout: z
      .looseObject({
        mode: z.string().optional(),
        createUrl: z.string().optional(),
        /** Who takes the money in the mode `redirect`: `demo` unless it says `stripe`. */
        provider: z.string().optional(),
        /** The public half of the Razorpay key; the secret half is a credential. */
        razorpayKeyId: z.string().max(100).optional(),
        restockOnRefund: z.boolean().optional(),
      })
      .optional(),
    orders: z.looseObject({ numberPrefix: z.string().max(20).optional() }).optional(),
    promises: z.array(PageItem).optional(),
    notifications: NotificationSettings.optional(),
  })
  .meta({ id: 'StorefrontConfiguration' })
export type StorefrontConfiguration = z.output<typeof StorefrontConfiguration>

/** One version of the configuration in its history; without an actor where nobody was noted. */
export const StorefrontVersion = z
  .object({
    version: z.int().nonnegative(),
    at: Timestamp,
    actor: z.string().optional(),
    /** The version whose content this one brought back. */
    restoredFrom: z.int().nonnegative().optional(),
  })
  .meta({ id: 'StorefrontVersion' })
export type StorefrontVersion = z.output<typeof StorefrontVersion>
