import { createHash } from 'node:crypto'
import { MINUTE_MS } from '@storefront/service'
import type { Quote } from '@storefront/contracts'
import { hashSecret } from '../access/capability.ts'
import type { CheckoutDetails } from '../checkout/checkout-body.ts'
import type { CheckoutRequest } from '../checkout/checkout-request.ts'
import type { SessionStatus } from '../database.ts'
import type { OrderDocument } from '../orders/order.ts'

/** A checkout that waits for its buyer at a payment provider. */
export interface StoredSession {
  id: string
  /** The id that its order will have. */
  orderId: string
  cartId: string
  /** The id that the cart was requested by: its own, or that of a cart that was merged into it. */
  requestedCartId: string
  /** Guests' carts that were merged into it. */
  mergedCartIds: string[]
  /** The sold lines, and the lines that were merged into them. */
  lineIds: string[]
  provider: string
  providerSession: string | null
  url: string | null
  status: SessionStatus
  customerId: string | null
  email: string
  /** Everything the order will be made of, as it was quoted. */
  document: OrderDocument
  numberPrefix: string
  requestHash: Buffer
  claim: string | null
  discountClaim: string | null
  secretHashes: Buffer[]
  successUrl: string | null
  cancelUrl: string | null
  createdAt: Date
  expiresAt: Date
  /** Digests of the browser, account and network whose limits it counts for. */
  buyerKeys: string[]
}

/** A session past its deadline that is to be ended. */
export interface DueSession extends StoredSession {
  /** The deadline for its payment: each attempt to end it moves `expiresAt`. */
  dueSince: Date
}

/** The goods stay reserved this long after the deadline for payment, for a payment update that is on its way. */
export const UPDATE_GRACE_SECONDS = 120
/** A page with less time left than this is not returned again. */
const LEAST_TIME_LEFT_MS = 5 * MINUTE_MS
/**
 * A session that is still being created after this long was left behind by a crash: the call to its provider ends before
 * (`withDeadline`). Its buyer waits for as long. A page that its creator gets later is closed again (`openAtProvider`).
 */
export const STUCK_AFTER_MS = 15_000

/** Whether a repeated checkout may get the page of this session, or wait for it. */
export function isReusable(
  { status, createdAt, expiresAt, secretHashes }: StoredSession,
  { secretOfLost }: Pick<CheckoutRequest, 'secretOfLost'>,
  now: Date,
): boolean {
  if (status === 'open') return expiresAt.getTime() - now.getTime() >= LEAST_TIME_LEFT_MS
  if (status !== 'creating' || now.getTime() - createdAt.getTime() >= STUCK_AFTER_MS) return false
  // The replica that was creating it is gone: its buyer would wait for nothing.
  const lost = secretOfLost !== undefined && hashSecret(secretOfLost)
  return !(lost && secretHashes.some((hash) => hash.equals(lost)))
}

/** Every id that the sold cart is known by, including the requested one. */
export function cartIdsOf({ cartId, mergedCartIds = [] }: Quote, requestedCartId: string): string[] {
  return [...new Set([cartId, requestedCartId, ...mergedCartIds])]
}

/** Every id of the sold lines: none of them can be in another order. */
export function lineIdsOf({ lines, formerLineIds = [] }: Quote): string[] {
  return [...new Set([...lines.map(({ id }) => id), ...formerLineIds])]
}

/** The same for a session. A session of an older version has only the lines of its document. */
export function soldLineIds({ lineIds, document }: Pick<StoredSession, 'lineIds' | 'document'>): string[] {
  return lineIds.length > 0 ? lineIds : document.lines.map(({ id }) => id)
}

/** The parts of a quote and its details that the order stores. */
export function documentOf(
  quote: Quote,
  { address, giftMessage }: Pick<CheckoutDetails, 'address' | 'giftMessage'>,
): OrderDocument {
  const { lines, subtotal, discount, shipping, tax, taxTerms, total, discountCode, shippingMethod, terms } = quote
  return {
    lines,
    subtotal,
    discount,
    shipping,
    tax,
    ...(taxTerms && { taxTerms }),
    total,
    ...(discountCode === undefined ? {} : { discountCode }),
    shippingAddress: address,
    shippingMethod,
    ...(giftMessage === undefined ? {} : { giftMessage }),
    locale: terms.locale,
    optionNames: lines.map(({ options }) => Object.keys(options)),
  }
}

/**
 * Digest of everything that a buyer agrees to on the provider's page. The same checkout again may use the same page.
 */
export function agreementHashOf(quote: Quote, details: CheckoutDetails, provider: string): Buffer {
  const { email, successUrl = null, cancelUrl = null } = details
  const { customerId = null, terms, currency } = quote
  const agreed = [documentOf(quote, details), email, successUrl, cancelUrl, provider, customerId, terms.checkoutMode]
  return createHash('sha256')
    .update(JSON.stringify([...agreed, currency]))
    .digest()
}
