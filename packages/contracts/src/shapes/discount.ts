import { z } from 'zod'
import { declareReadOnly } from '../read-only-fields.ts'
import { Timestamp } from './common.ts'
import { afterYearZero, Moment, PeriodEnd } from './moment.ts'

const DISCOUNT_KINDS = ['percent', 'fixed', 'shipping'] as const
export const DiscountKind = z.enum(DISCOUNT_KINDS)
export type DiscountKind = z.output<typeof DiscountKind>

/** Case does not matter to a shopper: codes are stored in upper case. */
const DiscountCode = z
  .string()
  .trim()
  .toUpperCase()
  .min(1)
  .max(50)
  .regex(/^[^\s/]+$/, 'must not contain spaces or slashes')

const count = z.int().positive('must be at least 1').max(1_000_000_000)
const minorUnits = z.int().nonnegative('must not be negative').max(1_000_000_000_000)

/** A discount is sent between services as a whole, in a message of at most 1 MiB. */
const MAX_RESTRICTION_BYTES = 400_000
const encoder = new TextEncoder()

const STARTS_AT = 'Valid from this moment on, or immediately if left out. ISO 8601, stored in UTC.'
const ENDS_AT = 'No longer valid from this moment on, or without an end if left out. ISO 8601, stored in UTC.'

const Fields = z.object({
  code: DiscountCode.describe('The code that shoppers enter, in any case; stored in upper case.'),
  kind: DiscountKind.describe('percent or fixed off the eligible goods, or shipping for free shipping.'),
  value: minorUnits
    .default(0)
    .describe('Whole percent from 1 to 100, or minor units of the currency of the shop; 0 for free shipping.'),
  label: z
    .string()
    .trim()
    .max(200)
    .optional()
    .describe('Shown in the cart; if left out, shoppers see a description such as "10% off".'),
  active: z
    .boolean()
    .describe('While false, shoppers get the same error as for a code that does not exist.')
    .default(true),
  startsAt: afterYearZero(Moment).optional().describe(STARTS_AT),
  endsAt: afterYearZero(PeriodEnd).optional().describe(ENDS_AT),
  minSubtotal: minorUnits
    .optional()
    .describe('Minimum subtotal of the whole cart, in minor units; no minimum if left out.'),
  usageLimit: count.optional().describe('How many orders may redeem the code in all; unlimited if left out.'),
  perCustomerLimit: count
    .optional()
    .describe('How many orders of one customer or email address may redeem it; unlimited if left out.'),
  categories: z
    .array(z.string().min(1).max(200))
    .max(500)
    .optional()
    .describe(
      'Slugs of categories that it applies to, including their subcategories. With `products` too, either is enough.',
    ),
  products: z
    .array(z.string().min(1).max(200))
    .max(5000)
    .optional()
    .describe('Slugs or ids of products that it applies to. Without these and `categories` it applies to all.'),
})

/** A discount as a merchant writes it and as import and export carry it. */
export const DiscountInput = Fields.overwrite(withoutLeftovers)
  .superRefine((discount, context) => {
    const fault = faultOfValue(discount)
    if (fault !== undefined) context.addIssue({ code: 'custom', path: ['value'], message: fault })
    const { startsAt, endsAt } = discount
    if (startsAt !== undefined && endsAt !== undefined && endsAt <= startsAt) {
      context.addIssue({ code: 'custom', path: ['endsAt'], message: 'must be after startsAt' })
    }
    const { categories = [], products = [] } = discount
    if (encoder.encode(JSON.stringify([categories, products])).length > MAX_RESTRICTION_BYTES) {
      context.addIssue({
        code: 'custom',
        path: ['products'],
        message: `must not take more than ${MAX_RESTRICTION_BYTES} bytes as JSON, together with categories`,
      })
    }
  })
  .meta({ id: 'DiscountBody' })
export type DiscountInput = z.output<typeof DiscountInput>

/**
 * An editor that switches to free shipping still sends the former percentage: it has no meaning there, and is not
 * stored.
 */
function withoutLeftovers<Discount extends { kind: DiscountKind; value: number }>(discount: Discount): Discount {
  return discount.kind === 'shipping' ? { ...discount, value: 0 } : discount
}

function faultOfValue({ kind, value }: { kind: DiscountKind; value: number }): string | undefined {
  if (kind === 'percent') return value >= 1 && value <= 100 ? undefined : 'must be a whole percent from 1 to 100'
  if (kind === 'fixed') return value > 0 ? undefined : 'must be more than 0 minor units'
  return undefined
}

/** The same field in a change, in which null removes it. */
function orNull<Field extends z.ZodType>(field: Field) {
  return field.nullable().describe(`${field.description ?? ''} Null removes it.`)
}

/** The changes of a discount; null removes a condition. The code cannot be changed. */
export const DiscountChange = z
  .object({
    code: Fields.shape.code.optional(),
    kind: Fields.shape.kind.optional(),
    value: z
      .number()
      .nullish()
      .describe('Whole percent or minor units; required with a new kind, except for free shipping.'),
    label: orNull(Fields.shape.label),
    active: Fields.shape.active.unwrap().optional(),
    startsAt: orNull(Fields.shape.startsAt),
    endsAt: orNull(Fields.shape.endsAt),
    minSubtotal: orNull(Fields.shape.minSubtotal),
    usageLimit: orNull(Fields.shape.usageLimit),
    perCustomerLimit: orNull(Fields.shape.perCustomerLimit),
    categories: orNull(Fields.shape.categories),
    products: orNull(Fields.shape.products),
  })
  .meta({ id: 'DiscountChange' })
export type DiscountChange = z.output<typeof DiscountChange>

/**
 * A discount that is saved under its code: a new one, or the given fields of an existing one. Null removes a condition.
 */
export const DiscountSave = DiscountChange.extend({ code: Fields.shape.code }).meta({ id: 'DiscountSave' })
export type DiscountSave = z.output<typeof DiscountSave>

/** As GET /admin/discounts shows it. */
export const Discount = Fields.extend({
  startsAt: Timestamp.optional().describe(STARTS_AT),
  endsAt: Timestamp.optional().describe(ENDS_AT),
  used: z
    .int()
    .nonnegative()
    .describe('Orders and open checkouts that redeem it; a canceled order releases its redemption.'),
}).meta({ id: 'Discount' })
export type Discount = z.output<typeof Discount>

declareReadOnly(DiscountInput, { live: ['used'] })
declareReadOnly(DiscountChange, { live: ['used'] })
declareReadOnly(DiscountSave, { live: ['used'] })
