import { z } from 'zod'
import { Money } from './money.ts'
import { Picture } from './shapes/common.ts'
import { CommerceTerms } from './commerce-terms.ts'

/**
 * The price projection: the facts about a variant that a cart needs, written by catalog to Redis and read by cart in
 * one round trip. A hash per variant with four fields; facts and stock change separately and have their own versions.
 */
export const PriceFacts = z.object({
  productId: z.string(),
  productSlug: z.string(),
  /**
   * Missing in entries of the previous version, in Redis or in a reply: a reader that finds none there reads the entry
   * from catalog.
   */
  sku: z.string().optional(),
  title: z.string(),
  options: z.record(z.string(), z.string()),
  image: Picture,
  price: Money,
  /** Its categories, and all their parents. */
  categories: z.array(z.string()),
  published: z.boolean(),
})
export type PriceFacts = z.output<typeof PriceFacts>

export const PriceEntry = z.object({
  variantId: z.string(),
  facts: PriceFacts,
  factsVersion: z.int(),
  inventory: z.int().nonnegative(),
  stockVersion: z.int(),
})
export type PriceEntry = z.output<typeof PriceEntry>

/** The part of the storefront configuration that determines cart prices and the checkout. */
export const PriceSettings = z.object({
  version: z.int(),
  currency: z.string(),
  locale: z.string(),
  commerce: CommerceTerms,
  checkoutMode: z.string(),
  numberPrefix: z.string(),
  // Entries in Redis may be from the previous version, which did not know these fields.
  /** The payment provider in the mode `redirect`. */
  checkoutProvider: z.string().default('demo'),
  storeName: z.string().default(''),
  razorpayKeyId: z.string().optional(),
  /** Whether a full refund returns the goods to the stock, unless the refund says otherwise. */
  restockOnRefund: z.boolean().default(true),
})
export type PriceSettings = z.output<typeof PriceSettings>

// The fields without the 2 hold entries from before facts named the parents of a product's categories.
export const PRICE_FIELDS = { facts: 'f2', factsVersion: 'fv2', stock: 's', stockVersion: 'sv' } as const

export function priceEntryKey(namespace: string, variantId: string): string {
  return `${namespace}:board:v:${variantId}`
}

export function priceSettingsKey(namespace: string): string {
  return `${namespace}:board:settings`
}
