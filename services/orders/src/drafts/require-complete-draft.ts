import { emailRequired } from '../errors.ts'
import { missingOfAddress, requireCompleteAddress } from '../checkout/checkout-body.ts'
import type { DraftContent } from './draft.ts'

type Buyer = Pick<DraftContent, 'email' | 'shippingAddress'>

/** What a checkout needs. @throws HttpError `email_required` or `missing_fields` */
export function requireCompleteDraft({ email, shippingAddress }: Buyer): void {
  if (email === '') throw emailRequired()
  requireCompleteAddress(shippingAddress, 'shippingAddress')
}

/** Whether it has what a checkout needs. */
export function isComplete({ email, shippingAddress }: Buyer): boolean {
  return email !== '' && missingOfAddress(shippingAddress).length === 0
}
