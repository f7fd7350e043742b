import { createHash } from 'node:crypto'
import { StorefrontError, type components } from '@storefront/client'
import type { LiveRequest } from '../../server/live-page.tsx'
import type { Cart } from '../bag/bag-contents.tsx'
import { bodyOf, fieldsOf, shortLinesOf, type Details, type FieldName, type Problems } from './details.ts'

type Schemas = components['schemas']
export type Placed = Schemas['OrderCheckout'] | Schemas['RedirectCheckout'] | Schemas['RazorpayCheckout']

/** Longer than for other requests, because the shop may wait for a payment provider. */
export const PAYMENT_TIMEOUT_MS = 15_000

/**
 * Checks out a bag. The same attempt with the same details leads to the same order, however often it is sent; other
 * details are another request.
 * @param cart as it was just priced, unless it is gone
 */
export function placeOrder(
  { shop, context, form }: LiveRequest,
  { bagId: requestedId, details, attempt }: { bagId: string; details: Details; attempt: string },
  cart: Pick<Cart, 'id' | 'currency'> | undefined,
): Promise<Placed> {
  const bagId = cart?.id ?? requestedId
  // From the form, because a repeated request is the same even when the cart is gone.
  const seen = Number(form.get('seen') ?? Number.NaN)
  const currency = cart?.currency ?? context.frame.currency
  const body = {
    ...bodyOf(details, context.storefrontUrl),
    ...(Number.isSafeInteger(seen) && { seen_total: { amount: seen, currency } }),
  }
  const key = createHash('sha256')
    .update(JSON.stringify([attempt, bagId, body]))
    .digest('base64url')
  return shop.post('/carts/{id}/checkout', {
    params: { path: { id: bagId } },
    headers: { 'idempotency-key': key },
    body,
    timeoutMs: PAYMENT_TIMEOUT_MS,
  })
}

/** The sentence for a field that is empty, or that the shop does not accept. */
export function fieldProblem({ context }: LiveRequest, field: FieldName, isMissing: boolean): string {
  const { t } = context.language
  return isMissing ? t(`checkout.missing.${field}`) : t(`checkout.faulty.${field}`)
}

/** What a shopper can do about an error of the shop. @throws an error that did not come from the shop */
export function problemsOf(request: LiveRequest, error: unknown): Problems {
  if (!(error instanceof StorefrontError)) throw error
  const { t } = request.context.language
  const status = error.status ?? 0
  const fields = fieldsOf(error)
  if (fields.length > 0) {
    const isMissing = error.code === 'missing_fields' || error.code === 'email_required'
    return { fields: Object.fromEntries(fields.map((field) => [field, fieldProblem(request, field, isMissing)])) }
  }
  const short = shortLinesOf(error)
  if (short.length > 0) return { fields: {}, notice: t('checkout.short'), short }
  if (error.code === 'not_found') return { fields: {}, notice: t('checkout.alreadyOrdered'), leadsToLookup: true }
  if (error.code === 'idempotency_mismatch') return { fields: {}, notice: t('checkout.changedMeanwhile') }
  if (error.code === 'payment_failed') return { fields: {}, notice: t('checkout.declined') }
  // Without a response the order may exist: the same request finds it.
  if (status === 0) return { fields: {}, notice: t('checkout.lost') }
  if (status >= 500) return { fields: {}, notice: t('checkout.away') }
  return { fields: {}, notice: request.context.language.error(error) }
}
