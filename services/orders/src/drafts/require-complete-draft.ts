import { emailRequired } from '../errors.ts'
import { requireCompleteAddress } from '../checkout/checkout-body.ts'
import type { DraftContent } from './draft.ts'

/** What a checkout needs. @throws HttpError `email_required` or `missing_fields` */
export function requireCompleteDraft({
  email,
  shippingAddress,
}: Pick<DraftContent, 'email' | 'shippingAddress'>): void {
  if (email === '') throw emailRequired()
  requireCompleteAddress(shippingAddress, 'shippingAddress')
}
