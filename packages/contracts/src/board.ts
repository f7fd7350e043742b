import { z } from 'zod'
import { Money } from './money.ts'
import { Picture } from './shapes/common.ts'
import { CommerceTerms } from './commerce-terms.ts'

/**
 * The price board: what a cart needs to know of a variant, written by catalog to Redis and read by cart in one
 * round trip. A hash per variant with four fields; facts and stock change apart and carry versions of their own.
 */
export const BoardFacts = z.object({
  productId: z.string(),
  productSlug: z.string(),
  /** Missing in entries of the version before, in Redis or in a reply: whoever finds none there reads the entry from catalog. */
  sku: z.string().optional(),
  title: z.string(),
  options: z.record(z.string(), z.string()),
  image: Picture,
  price: Money,
  /** The categories it stands in, and all above them. */
  categories: z.array(z.string()),
  published: z.boolean(),
})
export type BoardFacts = z.output<typeof BoardFacts>

export const BoardEntry = z.object({
  variantId: z.string(),
  facts: BoardFacts,
  factsVersion: z.int(),
  inventory: z.int().nonnegative(),
  stockVersion: z.int(),
})
export type BoardEntry = z.output<typeof BoardEntry>

/** The part of the storefront configuration that prices a cart and rules its checkout. */
export const BoardSettings = z.object({
  version: z.int(),
  currency: z.string(),
  locale: z.string(),
  commerce: CommerceTerms,
  checkoutMode: z.string(),
  numberPrefix: z.string(),
  // What stands in Redis may be from the version before, which did not know these.
  /** Who takes the money in the mode `redirect`. */
  checkoutProvider: z.string().default('demo'),
  storeName: z.string().default(''),
  razorpayKeyId: z.string().optional(),
  /** Whether a full refund brings the goods back, unless the refund says otherwise. */
  restockOnRefund: z.boolean().default(true),
})
export type BoardSettings = z.output<typeof BoardSettings>

// What stands in the fields without the 2 is from before facts named the categories above a product's own.
export const BOARD_FIELDS = { facts: 'f2', factsVersion: 'fv2', stock: 's', stockVersion: 'sv' } as const

export function boardEntryKey(namespace: string, variantId: string): string {
  return `${namespace}:board:v:${variantId}`
}

export function boardSettingsKey(namespace: string): string {
  return `${namespace}:board:settings`
}
