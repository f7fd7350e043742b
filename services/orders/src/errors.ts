import { DependencyUnavailable, Refusal } from '@storefront/chassis'

export const orderNotFound = () => new Refusal('not_found', 'We could not find this order.')

export const emailRequired = () => new Refusal('email_required', 'Please tell us your e-mail address.')

export const invalidEmail = () => new Refusal('invalid_email', 'This e-mail address does not look right.')

export const incompleteAddress = (fields: string[]) =>
  new Refusal('missing_fields', 'Please complete the delivery address.', { detail: { fields } })

export const checkoutModeUnavailable = (mode: string) =>
  new Refusal('service_unavailable', 'This way to pay is not available at the moment.', { detail: { mode } })

export const checkoutLostItsGoods = () =>
  new Refusal('service_unavailable', 'The shop is very busy. Please try again.', { retryAfterSeconds: 1 })

export const badSignature = () => new Refusal('bad_signature', 'We could not confirm where this message comes from.')

export const missingPaymentFields = (fields: string[]) =>
  new Refusal('missing_fields', 'Some details of the payment are missing.', { detail: { fields } })

export const paymentNotCaptured = () =>
  new Refusal('payment_not_captured', 'Your payment has not arrived yet. Please wait a moment and try again.')

export const paymentFailed = () =>
  new Refusal('payment_failed', 'The payment did not go through. Please try again or pay in another way.')

export const paymentProviderAway = (provider: string, cause: unknown) => new DependencyUnavailable(provider, cause)

export interface ShortLine {
  lineId: string
  variantId: string
  title: string
  options: Record<string, string>
  wanted: number
  available: number
}

/** 409 with the shortfall of each line; the message names the item when there is one, the count when there are more. */
export const outOfStock = (lines: ShortLine[]) =>
  new Refusal('out_of_stock', shortfallMessage(lines), { detail: { lines } })

function shortfallMessage(lines: ShortLine[]): string {
  const [only, ...others] = lines
  if (!only || others.length > 0) return `${lines.length} items in your bag are no longer available in that quantity.`
  const name = [only.title, ...Object.values(only.options)].join(', ')
  return only.available === 0 ? `${name} is sold out.` : `Only ${only.available} left of ${name}.`
}
