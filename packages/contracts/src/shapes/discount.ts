import { z } from 'zod'
import { Timestamp } from './common.ts'

export const DISCOUNT_KINDS = ['percent', 'fixed', 'shipping'] as const
export const DiscountKind = z.enum(DISCOUNT_KINDS)
export type DiscountKind = z.output<typeof DiscountKind>

/** Case does not matter to a shopper: codes are stored in upper case (decisions, section 4). */
export const DiscountCode = z
  .string()
  .trim()
  .toUpperCase()
  .min(1)
  .max(50)
  .regex(/^[^\s/]+$/, 'must not contain spaces or slashes')

const count = z.int().positive().max(1_000_000_000)
const minorUnits = z.int().nonnegative().max(1_000_000_000_000)

/** A discount as a merchant writes it and as import and export carry it (decisions, section 4, "Discount kinds"). */
export const DiscountInput = z
  .object({
    code: DiscountCode,
    kind: DiscountKind,
    /** Whole percent, minor units of the store's currency, or 0 for free shipping. */
    value: minorUnits.default(0),
    label: z.string().trim().max(200).optional(),
    active: z.boolean().default(true),
    startsAt: Timestamp.optional(),
    endsAt: Timestamp.optional(),
    minSubtotal: minorUnits.optional(),
    usageLimit: count.optional(),
    perCustomerLimit: count.optional(),
    /** Category slugs; products of their descendants count as well. */
    categories: z.array(z.string().min(1).max(200)).max(500).optional(),
    /** Product slugs or ids. */
    products: z.array(z.string().min(1).max(200)).max(5000).optional(),
  })
  .meta({ id: 'DiscountDocument' })
export type DiscountInput = z.output<typeof DiscountInput>

/** As GET /admin/discounts shows it: `used` counts orders that stand on it and checkouts under way. */
export const Discount = DiscountInput.extend({ used: z.int().nonnegative() }).meta({ id: 'Discount' })
export type Discount = z.output<typeof Discount>
