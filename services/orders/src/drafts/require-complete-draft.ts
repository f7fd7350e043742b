import { emailRequired, incompleteAddress } from '../errors.ts'
import { REQUIRED_OF_ADDRESS } from '../checkout/checkout-body.ts'
import type { DraftContent } from './draft.ts'

/** What a checkout needs. @throws HttpError `email_required` or `missing_fields` */
export function requireCompleteDraft({
  email,
  shippingAddress,
}: Pick<DraftContent, 'email' | 'shippingAddress'>): void {
  if (email === '') throw emailRequired()
  const missing = REQUIRED_OF_ADDRESS.filter((field) => shippingAddress[field].trim() === '')
  if (missing.length > 0) throw incompleteAddress(missing.map((field) => `shippingAddress.${field}`))
}
