import { createHash } from 'node:crypto'
import { DiscountInput, type Discount, type DiscountChange, type DiscountKind } from '@storefront/contracts'
import { fieldIssues } from '@storefront/http'
import { unfitDiscount } from '../errors.ts'

/** A discount as it is stored. Times are ISO texts with any offset, as they come out of JSON. */
export interface StoredDiscount {
  id: number
  code: string
  kind: DiscountKind
  /** Whole percent, minor units, or 0 for free shipping. */
  value: number
  label: string | null
  active: boolean
  startsAt: string | null
  endsAt: string | null
  minSubtotal: number | null
  usageLimit: number | null
  perCustomerLimit: number | null
  categories: string[] | null
  products: string[] | null
  used: number
}

/** A discount with the counts that decide whether a certain cart may redeem it. */
export interface CartDiscount extends StoredDiscount {
  /** Redemptions by other carts, held ones included. */
  usedByOthers: number
  /** Those of them that the owner of this cart made, if the owner is known. */
  usedByCustomer: number
}

/** Case and surrounding white space of a code do not matter to a shopper. */
export function normalizedCode(code: string): string {
  return code.trim().toUpperCase()
}

/** The discount as merchants read it and can write it back. */
export function discountResponse({ used, ...stored }: StoredDiscount): Discount {
  return { ...inputOf(stored), used }
}

export function inputOf(stored: Omit<StoredDiscount, 'used'>): DiscountInput {
  const { code, kind, value, label, active, startsAt, endsAt } = stored
  const { minSubtotal, usageLimit, perCustomerLimit, categories, products } = stored
  return {
    code,
    kind,
    value,
    ...(label !== null && { label }),
    active,
    ...(startsAt !== null && { startsAt: new Date(startsAt).toISOString() }),
    ...(endsAt !== null && { endsAt: new Date(endsAt).toISOString() }),
    ...(minSubtotal !== null && { minSubtotal }),
    ...(usageLimit !== null && { usageLimit }),
    ...(perCustomerLimit !== null && { perCustomerLimit }),
    ...(categories !== null && { categories }),
    ...(products !== null && { products }),
  }
}

/**
 * A discount after a change. Null removes a condition.
 * @param before undefined for a new discount
 * @throws HttpError `validation_failed` when the fields do not fit together, or when the code would change
 */
export function mergedDiscount(before: StoredDiscount | undefined, change: DiscountChange): DiscountInput {
  if (before && change.code !== undefined && change.code !== before.code) {
    throw unfitDiscount([{ path: 'code', message: 'cannot be changed' }])
  }
  const { value, ...conditions } = change
  // Ten percent must not become ten cents because the value was left out: a new kind gets 0, which is not valid for it.
  const isOfOtherKind = change.kind !== undefined && change.kind !== before?.kind
  const given = { ...(before && inputOf(before)), ...conditions }
  const isFreeShipping = (change.kind ?? before?.kind) === 'shipping'
  const worth = isFreeShipping ? 0 : (value ?? (isOfOtherKind ? 0 : before?.value))
  const fields = { ...given, ...(worth !== undefined && { value: worth }) }
  const whole = DiscountInput.safeParse(Object.fromEntries(Object.entries(fields).filter(([, each]) => each !== null)))
  if (whole.success) return whole.data
  throw unfitDiscount(fieldIssues(whole.error.issues))
}

/** One cart redeems a discount once: a second request, from the same click or another, finds the same redemption. */
export function redemptionIdOf(cartId: string, discountId: number): string {
  const digest = createHash('sha256').update(`${cartId}\n${discountId}`).digest('hex')
  return `use_${digest.slice(0, 40)}`
}
