import { z } from 'zod'
import { declareReadOnly } from '../read-only-fields.ts'
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

const count = z.int('must be a whole number').positive('must be at least 1').max(1_000_000_000)
const minorUnits = z.int('must be a whole number').nonnegative('must not be negative').max(1_000_000_000_000)

/** A moment in any offset and precision, kept in UTC and milliseconds. */
const Moment = z.iso
  .datetime({ offset: true })
  .refine(isOnTheCalendar, { message: 'must be a date between the years 1 and 9999', abort: true })
  .transform((text) => new Date(text).toISOString())
  .pipe(Timestamp)

function isOnTheCalendar(text: string): boolean {
  const year = new Date(text).getUTCFullYear()
  return year >= 1 && year <= 9999
}

/** A discount travels between services as a whole, in a message of at most 1 MiB. */
const MAX_RESTRICTION_BYTES = 400_000
const encoder = new TextEncoder()

const Fields = z.object({
  code: DiscountCode,
  kind: DiscountKind,
  /** Whole percent, minor units of the store's currency, or 0 for free shipping. */
  value: minorUnits.default(0),
  label: z.string().trim().max(200).optional(),
  active: z.boolean().default(true),
  startsAt: Moment.optional(),
  endsAt: Moment.optional(),
  minSubtotal: minorUnits.optional(),
  usageLimit: count.optional(),
  perCustomerLimit: count.optional(),
  /** Category slugs; products of their descendants count as well. */
  categories: z.array(z.string().min(1).max(200)).max(500).optional(),
  /** Product slugs or ids. */
  products: z.array(z.string().min(1).max(200)).max(5000).optional(),
})

/** A discount as a merchant writes it and as import and export carry it (decisions, section 4, "Discount kinds"). */
export const DiscountInput = Fields.overwrite(withoutLeftovers)
  .superRefine((discount, check) => {
    const fault = faultOfValue(discount)
    if (fault !== undefined) check.addIssue({ code: 'custom', path: ['value'], message: fault })
    const { startsAt, endsAt } = discount
    if (startsAt !== undefined && endsAt !== undefined && endsAt <= startsAt) {
      check.addIssue({ code: 'custom', path: ['endsAt'], message: 'must be after startsAt' })
    }
    const { categories = [], products = [] } = discount
    if (encoder.encode(JSON.stringify([categories, products])).length > MAX_RESTRICTION_BYTES) {
      check.addIssue({ code: 'custom', path: ['products'], message: 'must not name so much together with categories' })
    }
  })
  .meta({ id: 'DiscountBody' })
export type DiscountInput = z.output<typeof DiscountInput>

/** An editor that switches to free shipping still sends what the percentage was: it means nothing there, and is not kept. */
function withoutLeftovers<Discount extends { kind: DiscountKind; value: number }>(discount: Discount): Discount {
  return discount.kind === 'shipping' ? { ...discount, value: 0 } : discount
}

function faultOfValue({ kind, value }: { kind: DiscountKind; value: number }): string | undefined {
  if (kind === 'percent') return value >= 1 && value <= 100 ? undefined : 'must be a whole percent from 1 to 100'
  if (kind === 'fixed') return value > 0 ? undefined : 'must be more than 0 minor units'
  return undefined
}

/** What a merchant changes of a discount; null takes a condition away. The code stays what it is. */
export const DiscountChange = z
  .object({
    code: DiscountCode.optional(),
    kind: DiscountKind.optional(),
    value: z
      .number()
      .nullish()
      .describe(
        'Whole percent, or minor units of the currency; must be given with a new kind, and free shipping has none',
      ),
    label: Fields.shape.label.nullable(),
    active: z.boolean().optional(),
    startsAt: Fields.shape.startsAt.nullable(),
    endsAt: Fields.shape.endsAt.nullable(),
    minSubtotal: Fields.shape.minSubtotal.nullable(),
    usageLimit: Fields.shape.usageLimit.nullable(),
    perCustomerLimit: Fields.shape.perCustomerLimit.nullable(),
    categories: Fields.shape.categories.nullable(),
    products: Fields.shape.products.nullable(),
  })
  .meta({ id: 'DiscountChange' })
export type DiscountChange = z.output<typeof DiscountChange>

/** A discount that is saved under its code: a new one, or what is given of one that is there. Null is "no such condition". */
export const DiscountSave = DiscountChange.extend({ code: DiscountCode }).meta({ id: 'DiscountSave' })
export type DiscountSave = z.output<typeof DiscountSave>

/** As GET /admin/discounts shows it: `used` counts orders that stand on it and checkouts under way. */
export const Discount = Fields.extend({
  startsAt: Timestamp.optional(),
  endsAt: Timestamp.optional(),
  used: z.int().nonnegative(),
}).meta({ id: 'Discount' })
export type Discount = z.output<typeof Discount>

declareReadOnly(DiscountInput, { live: ['used'] })
declareReadOnly(DiscountChange, { live: ['used'] })
declareReadOnly(DiscountSave, { live: ['used'] })
