import { HttpError, waitInWords } from '@storefront/service'

export { idempotencyMismatch, invalidEmail } from '@storefront/service'

export const orderNotFound = () => new HttpError('not_found', 'We could not find this order.')

export const draftNotFound = () =>
  new HttpError('not_found', 'This draft order does not exist. It may have been deleted.')

export function draftIsOver(status: string): HttpError {
  const why = status === 'ordered' ? 'has become an order' : 'was canceled'
  return new HttpError('conflict', `This draft order ${why} and cannot be changed any more.`, { detail: { status } })
}

export const draftChangedMeanwhile = () =>
  new HttpError('conflict', 'This draft order was changed in the meantime. Load it again, and repeat your change.')

export const paymentLinkNotFound = () =>
  new HttpError(
    'not_found',
    'This link does not work. You may have received a newer one: please use the latest email, or contact the shop.',
  )

export const noteNotFound = () => new HttpError('not_found', 'This note does not exist. It may have been deleted.')

export const notAuthorOfNote = () => new HttpError('forbidden', 'Only the author of a note or an owner can delete it.')

export const buyerNotFound = () => new HttpError('not_found', 'This buyer does not exist, or the data was deleted.')

export const buyerHasAccount = () =>
  new HttpError('conflict', 'This buyer has an account. Delete the account of the customer instead.')

export const ownerNeeded = () => new HttpError('forbidden', 'Only an owner can do this.')

export const tooManyNotes = (max: number) =>
  new HttpError('validation_failed', `There can be at most ${max} notes here. Delete one that is no longer needed.`, {
    detail: { max },
  })

export const noSuchProvider = () => new HttpError('not_found', 'This address does not exist.')

export const badSignature = () => new HttpError('bad_signature', 'The signature of this webhook is missing or invalid.')

/** The same for the result of a payment form, which a buyer sends. */
export const unconfirmedPayment = () =>
  new HttpError(
    'bad_signature',
    'We could not confirm this payment. If you were charged, please contact us and do not pay again.',
  )

export const unreadableWebhook = () => new HttpError('bad_json', 'The request body is not valid JSON.')

export const demoSessionNotFound = () => new HttpError('not_found', 'We could not find this payment.')

export const missingLookupFields = (fields: string[]) =>
  new HttpError('missing_fields', 'Please enter your order number and email address.', {
    detail: { fields },
  })

/** @param missing fields of `tracking`; of `code` and `url`, one is enough */
export const incompleteTracking = (missing: readonly string[]) => {
  const names = missing
    .map((field) => `\`${field}\``)
    .join(', ')
    .replace('`code`, `url`', '`code` or `url`')
  return new HttpError(
    'missing_fields',
    `Tracking needs the carrier and a tracking number (\`code\`) or a link (\`url\`). Missing: ${names}.`,
    { detail: { fields: missing.map((field) => `tracking.${field}`) } },
  )
}

export const tooManyLookups = (retryAfterSeconds: number) =>
  new HttpError(
    'rate_limited',
    `Too many attempts to find an order. Please try again in ${waitInWords(retryAfterSeconds)}.`,
    { retryAfterSeconds },
  )

export const invalidStatus = (found: string, allowed: readonly string[]) =>
  new HttpError('invalid_status', `\`status\` must be one of ${allowed.join(', ')}, not "${found}".`, {
    detail: { allowed },
  })

export const invalidTransition = (detail: { from: string; to: string; allowed: readonly string[] }) =>
  new HttpError('invalid_transition', `An order that is ${detail.from} cannot become ${detail.to}.`, { detail })

export const emailRequired = () => new HttpError('email_required', 'Please enter your email address.')

export const incompleteAddress = (fields: string[]) =>
  new HttpError('missing_fields', 'Please complete the delivery address.', { detail: { fields } })

const CHOOSE_COUNTRY = 'Please choose the delivery country from the list.'
const noCountryCode = (found: string, path = 'shipping_address.country') => ({
  path,
  message: `must be an ISO 3166-1 alpha-2 code such as GB, not "${found}"`,
})

export const unknownCountry = (found: string, path?: string) =>
  new HttpError('validation_failed', CHOOSE_COUNTRY, { detail: { issues: [noCountryCode(found, path)] } })

/** No country that is served has this code, because none has it. */
export const unservedCountry = (country: string) =>
  new HttpError('undeliverable_country', CHOOSE_COUNTRY, { detail: { country, issues: [noCountryCode(country)] } })

export const foreignPages = (found: readonly { field: string; origin: string }[], allowed: readonly string[]) =>
  new HttpError(
    'validation_failed',
    'Checkout failed because its return address is not part of this shop. Please reload the page and try again.',
    {
      detail: {
        issues: found.map(({ field, origin }) => ({
          path: field,
          message: `must be a page of the storefront (${allowed.join(', ')}), not of ${origin}; set the allowed origins in STOREFRONT_ORIGINS`,
        })),
      },
    },
  )

export const checkoutModeUnavailable = (detail: {
  mode: string
  provider?: string
  missing?: string
  reason?: string
}) =>
  new HttpError(
    'service_unavailable',
    'This payment method is not available at the moment. Please choose another one or try again later.',
    { detail },
  )

export const currencyMismatch = (requested: string, currency: string) =>
  new HttpError('currency_mismatch', `This shop sells in ${currency}. Please reload the page.`, {
    detail: { asked: requested, currency },
  })

/** The call may or may not have had an effect; in any case the buyer has no page to pay on. */
export const paymentPageUnavailable = (provider: string) =>
  new HttpError(
    'service_unavailable',
    'We could not reach our payment provider. You have not been charged. Please try again in a moment.',
    { detail: { provider }, retryAfterSeconds: 5 },
  )

export const paymentProviderRejected = (provider: string) =>
  new HttpError(
    'bad_gateway',
    'Our payment provider did not accept this checkout. You have not been charged. Please try again, or contact us.',
    { detail: { provider } },
  )

export const checkedOutElsewhere = () =>
  new HttpError('conflict', 'This cart was checked out again in another window. Please continue there, or try again.')

/** Also while carts are merged: the same goods cannot be in two orders. */
export const goodsBoughtElsewhere = () =>
  new HttpError(
    'conflict',
    'Some items in this cart were bought in another checkout. No new order was placed. Please check your cart and try again.',
  )

export const sessionNotFound = () => new HttpError('not_found', 'We could not find this checkout.')

export const paymentFailed = () =>
  new HttpError('payment_failed', 'The payment did not go through. Please try again or use another payment method.')

export const unusableIdempotencyKey = () =>
  new HttpError(
    'validation_failed',
    'The header `Idempotency-Key` must have 1 to 255 visible characters and no spaces. Nothing was done.',
    {
      detail: { issues: [{ path: 'idempotency-key', message: 'must have 1 to 255 visible characters and no spaces' }] },
    },
  )

export const stillProcessing = () =>
  new HttpError('service_unavailable', 'We are still processing your request. Please try again in a moment.', {
    retryAfterSeconds: 2,
  })

const invalidField = (path: string, message: string) =>
  new HttpError('validation_failed', 'Please check what you entered.', { detail: { issues: [{ path, message }] } })

export const attentionCanOnlyBeCleared = () =>
  invalidField('attention', 'must be null or omitted: the shop sets it, and you clear it')

export const paymentCanOnlyBeCaptured = () =>
  invalidField('payment.status', 'must be `captured` or omitted: use the refunds route to return money')

export const periodEndsBeforeItBegins = ({ from, to }: { from: string; to: string }) =>
  invalidField('to', `must not be before \`from\`: ${to} is before ${from}`)

export const periodTooLong = (days: number, allowed: number) =>
  invalidField('from', `must leave a period of at most ${allowed} days, not ${days}`)

export const paymentOfAnotherOrder = () =>
  new HttpError('conflict', 'This payment belongs to another order. No order was placed.')

export const checkoutLostItsHolds = () =>
  new HttpError('service_unavailable', 'The shop is very busy. Please try again.', { retryAfterSeconds: 1 })

export const invalidAmount = () =>
  new HttpError(
    'invalid_amount',
    '`amount` must be a whole number above 0, in the smallest unit such as cents, or { amount, currency }.',
  )

export const refundCurrencyMismatch = (sent: string, currency: string) =>
  new HttpError(
    'currency_mismatch',
    `\`amount\` is in ${sent}; the payment was in ${currency}. Send it in ${currency}.`,
    { detail: { sent, currency } },
  )

export const refundTooLarge = (left: number) =>
  new HttpError('amount_too_large', '`amount` is more than what is left to refund of this order.', { detail: { left } })

export const nothingPaidForUnits = () =>
  new HttpError('invalid_amount', 'The buyer paid nothing for these units. Send an `amount` to refund something else.')

export const alreadyRefunded = () => new HttpError('already_refunded', 'Nothing is left to refund of this order.')

export const paymentNotCaptured = () =>
  new HttpError('payment_not_captured', 'This order has not been paid yet, so there is nothing to refund.')

export const tooManyDocuments = () =>
  new HttpError('service_unavailable', 'Many documents are being printed right now. Please try again in a moment.', {
    retryAfterSeconds: 2,
  })

export const noInvoiceBeforePayment = () =>
  new HttpError('payment_not_captured', 'This order has not been paid yet, so it has no invoice.')

/** Units of a line that cannot be sent or refunded. */
export interface LineShort {
  lineId: string
  title: string
  wanted: number
  left: number
}

export const moreThanRemaining = (lines: readonly LineShort[]) =>
  new HttpError('conflict', `${lines.map((line) => `${leftOf(line)} to send.`).join(' ')} The parcel was not sent.`, {
    detail: { lines },
  })

export const moreThanRefundable = (lines: readonly LineShort[]) =>
  new HttpError('conflict', `${lines.map((line) => `${leftOf(line)} to refund.`).join(' ')} Nothing was refunded.`, {
    detail: { lines },
  })

function leftOf({ left, title }: LineShort): string {
  return left > 0 ? `Only ${left} × ${title} ${left === 1 ? 'is' : 'are'} left` : `No ${title} is left`
}

export const orderLinesNotFound = (lineIds: readonly string[]) =>
  new HttpError('line_not_found', `This order has no line ${lineIds.join(', ')}.`, { detail: { lineIds } })

export const orderHasAnotherPayment = () =>
  new HttpError('conflict', 'This order was already paid with another payment.')

export const paymentReferenceTaken = () =>
  new HttpError('conflict', 'A payment with this reference belongs to another order.')

export const refundReferenceTaken = () =>
  new HttpError('conflict', 'A refund with this reference belongs to another order.')

export const refundReferenceNeeded = () =>
  new HttpError(
    'missing_fields',
    'Please refund this payment at its provider, and send the reference of that refund as `reference`.',
    { detail: { fields: ['reference'] } },
  )

export const refundsUnavailable = () =>
  new HttpError(
    'service_unavailable',
    'The provider of this payment is not configured, so the payment cannot be refunded at the moment.',
  )

export const refundRejected = () =>
  new HttpError('bad_gateway', 'The payment provider rejected this refund. No money was returned.')

export const missingPaymentFields = (fields: string[]) =>
  new HttpError('missing_fields', 'Some payment details are missing.', { detail: { fields } })

export const paymentNotArrived = () =>
  new HttpError('payment_not_captured', 'Your payment has not arrived yet. Please wait a moment and try again.')

export const paidForBoughtGoods = () =>
  new HttpError('conflict', 'These items were already bought in another checkout. Your payment will be refunded.')

export interface ShortLine {
  lineId: string
  variantId: string
  title: string
  options: Record<string, string>
  wanted: number
  available: number
  /** Set when the stock suffices, but the limit of unpaid holds is reached: for one buyer, or for all together. */
  limit?: 'buyer' | 'all'
}

const nameOf = ({ title, options }: Pick<ShortLine, 'title' | 'options'>) =>
  [title, ...Object.values(options)].join(', ')

/** Why goods could not be reserved: they are sold out, or more may not be held without payment. */
export function shortage(lines: ShortLine[]): HttpError {
  const [first] = lines
  if (!first || lines.some(({ limit }) => limit === undefined)) return outOfStock(lines)
  const ofBuyer = lines.find(({ limit }) => limit === 'buyer')
  if (ofBuyer) return tooManyUnpaidUnits(ofBuyer, { most: ofBuyer.available, available: ofBuyer.available })
  return new HttpError(
    'out_of_stock',
    `${nameOf(first)} is in other customers’ checkouts right now. Please try again in a few minutes.`,
    { detail: { lines } },
  )
}

export const tooManyUnpaidUnits = (
  line: Pick<ShortLine, 'variantId' | 'title' | 'options'>,
  { most, available }: { most: number; available: number },
) =>
  new HttpError(
    'insufficient_inventory',
    `You can have at most ${most} of ${nameOf(line)} in unpaid checkouts. Please order fewer, or pay for one of them first.`,
    { detail: { variantId: line.variantId, available } },
  )

export const tooManyUnpaidCheckouts = ({
  limit,
  isShared,
  retryAfterSeconds,
}: {
  limit: number
  isShared: boolean
  retryAfterSeconds: number
}) =>
  new HttpError(
    'rate_limited',
    isShared
      ? `There are too many unpaid checkouts from your network. Please try again in ${waitInWords(retryAfterSeconds)}.`
      : `You have ${limit} unpaid checkouts. Please pay for one of them, or try again in ${waitInWords(retryAfterSeconds)}.`,
    { detail: { limit }, retryAfterSeconds },
  )

/** 409 with the shortfall of each line; the message names the item when there is one, the count when there are more. */
export const outOfStock = (lines: ShortLine[]) =>
  new HttpError('out_of_stock', shortfallMessage(lines), { detail: { lines } })

function shortfallMessage(lines: ShortLine[]): string {
  const [only, ...others] = lines
  if (!only || others.length > 0)
    return `${lines.length} items in your cart are no longer available in that quantity. Please check your cart.`
  return only.available === 0 ? `${nameOf(only)} is sold out.` : `Only ${only.available} left of ${nameOf(only)}.`
}
