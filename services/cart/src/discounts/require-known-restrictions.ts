import { sendRequest, type Messaging } from '@storefront/messaging'
import { CheckRestrictions, type DiscountInput } from '@storefront/contracts'
import { unknownRestrictions } from '../errors.ts'
import type { StoredDiscount } from './discount.ts'

/**
 * Requires that catalog has the products and categories that a merchant adds to a discount. Those that the discount
 * already has are not checked: a product that was deleted since does not prevent another change.
 * @throws HttpError `validation_failed` that names what the shop does not have
 * @throws DependencyUnavailable when catalog does not reply
 */
export async function requireKnownRestrictions(
  messaging: Messaging,
  wanted: DiscountInput,
  before: StoredDiscount | undefined,
): Promise<void> {
  const added = {
    categories: addedTo(before?.categories, wanted.categories),
    products: addedTo(before?.products, wanted.products),
  }
  if (added.categories.length + added.products.length === 0) return
  const { unknown, total } = await sendRequest(messaging, CheckRestrictions, added)
  if (total === 0) return
  const issues = unknown.map(({ field, name, suggestion }) => ({
    path: `${field}.${wanted[field]?.indexOf(name) ?? 0}`,
    message: messageOf(field === 'products' ? 'product' : 'category', name, suggestion),
  }))
  throw unknownRestrictions(issues, total)
}

function addedTo(before: readonly string[] | null | undefined, wanted: readonly string[] | undefined): string[] {
  const known = new Set(before)
  return [...new Set(wanted)].filter((name) => !known.has(name))
}

function messageOf(noun: string, name: string, suggestion: string | undefined): string {
  const hint = suggestion === undefined ? '' : ` Did you mean \`${suggestion}\`?`
  return `Unknown ${noun} \`${name}\`.${hint}`
}
