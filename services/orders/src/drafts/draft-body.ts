import { z } from 'zod'
import {
  declareReadOnly,
  DraftOrder,
  DraftOrderLine,
  MAX_CART_LINES,
  newId,
  PostalAddress,
} from '@storefront/contracts'
import { emailOf, withCountryCodeIfGiven } from '../checkout/checkout-body.ts'
import type { DraftContent, DraftLine } from './draft.ts'

const hasEachOnce = (lines: readonly DraftOrderLine[]) =>
  new Set(lines.map(({ variantId }) => variantId)).size === lines.length

const lines = z
  .array(DraftOrderLine)
  .min(1)
  .max(MAX_CART_LINES)
  .refine(hasEachOnce, 'must have each variant once')
  .describe(`What the buyer gets: 1 to ${MAX_CART_LINES} lines, each variant once.`)

const others = {
  email: z.string().max(320).optional().describe('Needed for a payment link; may be empty until then.'),
  shippingAddress: PostalAddress.optional().describe('Needed for a payment link; may be incomplete until then.'),
  shippingMethod: z
    .string()
    .trim()
    .max(100)
    .optional()
    .describe('`id` of one of the shipping methods of the shop; empty for the first one.'),
  // Measured in upper case, which has more letters in some scripts: cart takes at most 100 of them.
  discountCode: z.string().trim().toUpperCase().max(100).optional().describe('In any case; empty for none.'),
  note: z.string().trim().max(2000).optional().describe("For the shop's staff; the buyer never sees it."),
}

export const DraftOrderBody = z.object({ lines, ...others }).meta({ id: 'DraftOrderBody' })
export type DraftOrderBody = z.output<typeof DraftOrderBody>

export const DraftOrderChange = z.object({ lines: lines.optional(), ...others }).meta({ id: 'DraftOrderChange' })
// The response to sending a draft has `url` as well.
declareReadOnly(DraftOrderChange, {
  live: ['url', ...Object.keys(DraftOrder.shape).filter((name) => !(name in DraftOrderBody.shape))],
})

/** The errors that the content of a draft order may have, beside those of every route. */
export const CONTENT_ERRORS = [
  'empty_cart',
  'invalid_discount',
  'invalid_email',
  'invalid_shipping_method',
  'out_of_stock',
  'undeliverable_country',
  'variant_not_found',
] as const

const EMPTY: DraftContent = {
  email: '',
  shippingAddress: PostalAddress.parse({}),
  shippingMethod: '',
  discountCode: '',
  note: '',
  lines: [],
}

/**
 * The content of a draft order after a change.
 * @param before the content so far
 * @throws HttpError `invalid_email`, or `validation_failed` for an unknown country
 */
export function contentAfter(change: z.output<typeof DraftOrderChange>, before: DraftContent = EMPTY): DraftContent {
  const { email, shippingAddress, shippingMethod, discountCode, note } = change
  return {
    email: email === undefined ? before.email : emailIfGiven(email),
    shippingAddress: shippingAddress
      ? withCountryCodeIfGiven(shippingAddress, 'shippingAddress.country')
      : before.shippingAddress,
    shippingMethod: shippingMethod ?? before.shippingMethod,
    discountCode: discountCode ?? before.discountCode,
    note: note ?? before.note,
    lines: change.lines === undefined ? before.lines : linesAfter(change.lines, before.lines),
  }
}

function emailIfGiven(email: string): string {
  return email.trim() === '' ? '' : emailOf(email)
}

/** A variant keeps the id of its line. */
function linesAfter(lines: readonly DraftOrderLine[], before: readonly DraftLine[]): DraftLine[] {
  return lines.map(({ variantId, quantity }) => ({
    id: before.find((line) => line.variantId === variantId)?.id ?? newId('line'),
    variantId,
    quantity,
  }))
}
