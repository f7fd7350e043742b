import { Refusal } from '@storefront/chassis'

export const orderNotFound = () => new Refusal('not_found', 'We could not find this order.')

export const missingLookupFields = (fields: string[]) =>
  new Refusal('missing_fields', 'Please tell us the number of your order and its e-mail address.', {
    detail: { fields },
  })

export const tooManyLookups = (retryAfterSeconds: number) =>
  new Refusal('rate_limited', 'This order was looked for too often. Please try again later.', { retryAfterSeconds })

export const invalidStatus = (allowed: readonly string[]) =>
  new Refusal('invalid_status', 'There is no such status of an order.', { detail: { allowed } })

export const invalidTransition = (detail: { from: string; to: string; allowed: readonly string[] }) =>
  new Refusal('invalid_transition', `An order that is ${detail.from} cannot become ${detail.to}.`, { detail })

export const badCursor = () =>
  new Refusal('validation_failed', 'This page cannot be found any more. Please start at the first one.', {
    detail: { issues: [{ path: 'cursor', message: 'is not a cursor of this service' }] },
  })

export const emailRequired = () => new Refusal('email_required', 'Please tell us your e-mail address.')

export const invalidEmail = () => new Refusal('invalid_email', 'This e-mail address does not look right.')

export const incompleteAddress = (fields: string[]) =>
  new Refusal('missing_fields', 'Please complete the delivery address.', { detail: { fields } })

export const checkoutModeUnavailable = (mode: string) =>
  new Refusal('service_unavailable', 'This way to pay is not available at the moment.', { detail: { mode } })

export const checkoutLostItsGoods = () =>
  new Refusal('service_unavailable', 'The shop is very busy. Please try again.', { retryAfterSeconds: 1 })

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
