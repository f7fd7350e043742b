import { DependencyUnavailable, Refusal } from '@storefront/chassis'

export const orderNotFound = () => new Refusal('not_found', 'We could not find this order.')

export const noSuchProvider = () => new Refusal('not_found', 'This address does not exist.')

export const badSignature = () => new Refusal('bad_signature', 'This message does not come from who it says it does.')

export const unreadableWebhook = () => new Refusal('bad_json', 'The message could not be read.')

export const demoSessionNotFound = () => new Refusal('not_found', 'There is no such payment.')
export const missingLookupFields = (fields: string[]) =>
  new Refusal('missing_fields', 'Please tell us the number of your order and its e-mail address.', {
    detail: { fields },
  })

/** @param missing fields of `tracking`; of `code` and `url`, one is enough */
export const incompleteTracking = (missing: readonly string[]) => {
  const names = missing
    .map((field) => `\`${field}\``)
    .join(', ')
    .replace('`code`, `url`', '`code` or `url`')
  return new Refusal(
    'missing_fields',
    `Tracking needs the carrier, and the number of the parcel (\`code\`) or a link (\`url\`). Missing: ${names}.`,
    { detail: { fields: missing.map((field) => `tracking.${field}`) } },
  )
}

export const tooManyLookups = (retryAfterSeconds: number) =>
  new Refusal('rate_limited', 'This order was looked for too often. Please try again later.', { retryAfterSeconds })

export const invalidStatus = (found: string, allowed: readonly string[]) =>
  new Refusal('invalid_status', `The \`status\` of an order is one of ${allowed.join(', ')}, not "${found}".`, {
    detail: { allowed },
  })

export const invalidTransition = (detail: { from: string; to: string; allowed: readonly string[] }) =>
  new Refusal('invalid_transition', `An order that is ${detail.from} cannot become ${detail.to}.`, { detail })

export const badCursor = (message: string) =>
  new Refusal('validation_failed', 'This page cannot be found any more. Please start at the first one.', {
    detail: { issues: [{ path: 'cursor', message }] },
  })

export const emailRequired = () => new Refusal('email_required', 'Please tell us your e-mail address.')

export const invalidEmail = () => new Refusal('invalid_email', 'This e-mail address does not look right.')

export const incompleteAddress = (fields: string[]) =>
  new Refusal('missing_fields', 'Please complete the delivery address.', { detail: { fields } })

export const unknownCountry = (found: string) =>
  new Refusal('validation_failed', 'Please choose the country of delivery from the list.', {
    detail: {
      issues: [
        { path: 'shipping_address.country', message: `must be an ISO 3166-1 alpha-2 code such as GB, not "${found}"` },
      ],
    },
  })

export const foreignPages = (found: readonly { field: string; origin: string }[], allowed: readonly string[]) =>
  new Refusal(
    'validation_failed',
    'This checkout would lead away from the shop. Please reload the page and try again.',
    {
      detail: {
        issues: found.map(({ field, origin }) => ({
          path: field,
          message: `must be a page of the storefront (${allowed.join(', ')}), not of ${origin}; STOREFRONT_ORIGINS names its origins`,
        })),
      },
    },
  )

export const checkoutModeUnavailable = (detail: {
  mode: string
  provider?: string
  missing?: string
  reason?: string
}) => new Refusal('service_unavailable', 'This way to pay is not available at the moment.', { detail })

export const currencyMismatch = (asked: string, currency: string) =>
  new Refusal('currency_mismatch', `This shop sells in ${currency}.`, { detail: { asked, currency } })

/** Nobody knows what the provider did; its buyer has no page to pay at. */
export const paymentPartnerAway = (provider: string) =>
  new Refusal(
    'service_unavailable',
    'We could not reach our payment partner. Nothing was charged; please try again in a moment.',
    { detail: { provider }, retryAfterSeconds: 5 },
  )

export const paymentPartnerRefused = (provider: string) =>
  new Refusal(
    'bad_gateway',
    'Our payment partner did not accept this checkout. Nothing was charged; please try again, or get in touch with us.',
    { detail: { provider } },
  )

export const checkedOutElsewhere = () =>
  new Refusal('conflict', 'This bag was checked out again in another window. Please go on there, or try again.')

/** Also while carts are merged: the same goods cannot be in two orders. */
export const goodsBoughtElsewhere = () =>
  new Refusal(
    'conflict',
    'Something in this cart was bought in another checkout. Nothing was ordered here. Please check your cart and try again.',
  )

export const sessionNotFound = () => new Refusal('not_found', 'We could not find this checkout.')

export const paymentFailed = () =>
  new Refusal('payment_failed', 'The payment did not go through. Please try again or pay in another way.')

export const unusableIdempotencyKey = () =>
  invalidField('idempotency-key', 'must have 1 to 255 visible characters and no spaces')

export const idempotencyMismatch = () =>
  new Refusal('idempotency_mismatch', 'This was asked before with other details. Please start again.')

export const stillUnderWay = () =>
  new Refusal('service_unavailable', 'We are still working on this. Please try again in a moment.', {
    retryAfterSeconds: 2,
  })

const invalidField = (path: string, message: string) =>
  new Refusal('validation_failed', 'Please check what you entered.', { detail: { issues: [{ path, message }] } })

export const attentionIsTheShops = () =>
  invalidField('attention', 'must be null or left out: the shop sets it, and you clear it')

export const paymentCanOnlyBeCaptured = () =>
  invalidField('payment.status', 'must be captured or left out: refunds have a route of their own')

export const paymentOfAnotherOrder = () =>
  new Refusal('conflict', 'Another order was paid with this payment. Nothing was placed.')

export const checkoutLostItsGoods = () =>
  new Refusal('service_unavailable', 'The shop is very busy. Please try again.', { retryAfterSeconds: 1 })

export const invalidAmount = () =>
  new Refusal(
    'invalid_amount',
    'The `amount` to refund must be a whole number above 0, in the smallest unit such as cents, or `{ amount, currency }`.',
  )

export const refundCurrencyMismatch = (sent: string, currency: string) =>
  new Refusal('currency_mismatch', `The \`amount\` to refund is in ${sent}; the payment was in ${currency}.`, {
    detail: { sent, currency },
  })

export const refundTooLarge = (left: number) =>
  new Refusal('amount_too_large', 'This is more than is left to refund of this order.', { detail: { left } })

export const alreadyRefunded = () => new Refusal('already_refunded', 'Nothing is left to refund of this order.')

export const paymentNotCaptured = () =>
  new Refusal('payment_not_captured', 'Nothing was paid for this order yet, so there is nothing to refund.')

export const paymentThereAlready = () => new Refusal('conflict', 'This order was paid already, with another payment.')

export const paymentReferenceTaken = () =>
  new Refusal('conflict', 'A payment with this reference belongs to another order.')

export const refundReferenceTaken = () =>
  new Refusal('conflict', 'A refund with this reference belongs to another order.')

export const refundReferenceNeeded = () =>
  new Refusal(
    'missing_fields',
    'Please return this payment at its provider, and tell us the reference of the refund.',
    { detail: { fields: ['reference'] } },
  )

export const refundsUnavailable = () =>
  new Refusal(
    'service_unavailable',
    'The provider of this payment is not set up, so it cannot be refunded at the moment.',
  )

export const refundRefused = () =>
  new Refusal('bad_gateway', 'The payment provider refused this refund. No money was returned.')
export const missingPaymentFields = (fields: string[]) =>
  new Refusal('missing_fields', 'Some details of the payment are missing.', { detail: { fields } })

export const paymentNotArrived = () =>
  new Refusal('payment_not_captured', 'Your payment has not arrived yet. Please wait a moment and try again.')

export const paidForBoughtGoods = () =>
  new Refusal('conflict', 'These goods were bought in another checkout before. Your payment is returned to you.')

export const paymentProviderAway = (provider: string, cause: unknown) => new DependencyUnavailable(provider, cause)

export interface ShortLine {
  lineId: string
  variantId: string
  title: string
  options: Record<string, string>
  wanted: number
  available: number
  /** Set when there are enough, but unpaid checkouts may not hold so many: those of one buyer, or all together. */
  limit?: 'buyer' | 'all'
}

const nameOf = ({ title, options }: Pick<ShortLine, 'title' | 'options'>) =>
  [title, ...Object.values(options)].join(', ')

/** Why goods could not be held: they are gone, or may not be held without payment. */
export function shortage(lines: ShortLine[]): Refusal {
  const [first] = lines
  if (!first || lines.some(({ limit }) => limit === undefined)) return outOfStock(lines)
  const buyers = lines.find(({ limit }) => limit === 'buyer')
  if (buyers) return tooManyUnpaidUnits(buyers, { most: buyers.available, available: buyers.available })
  return new Refusal(
    'out_of_stock',
    `${nameOf(first)} is in other customers’ checkouts right now. Please try again in a few minutes.`,
    { detail: { lines } },
  )
}

export const tooManyUnpaidUnits = (
  line: Pick<ShortLine, 'variantId' | 'title' | 'options'>,
  { most, available }: { most: number; available: number },
) =>
  new Refusal(
    'insufficient_inventory',
    `You can have at most ${most} of ${nameOf(line)} in checkouts that wait for payment. Please order fewer, or pay first.`,
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
  new Refusal(
    'rate_limited',
    isShared
      ? `Too many checkouts from your network wait for payment. Please try again in ${minutes(retryAfterSeconds)}.`
      : `You have ${limit} checkouts that wait for payment. Please pay for one of them, or try again in ${minutes(retryAfterSeconds)}.`,
    { detail: { limit }, retryAfterSeconds },
  )

function minutes(seconds: number): string {
  const count = Math.ceil(seconds / 60)
  return count === 1 ? 'a minute' : `${count} minutes`
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
