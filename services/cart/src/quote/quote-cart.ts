import type { z } from 'zod'
import { replyTo } from '@storefront/messaging'
import { DependencyUnavailable } from '@storefront/service'
import { QuoteCart, type Actor, type PriceSettings, type CartLine, type Quote } from '@storefront/contracts'
import type { CartContext } from '../context.ts'
import { cartNotFound, emptyCart, unsoldLines, withdrawnLines } from '../errors.ts'
import { findCartWithAliases, markQuoted } from '../cart/carts.queries.ts'
import { claimForCheckout } from '../cart/claim-guest-cart.ts'
import { mayTouch } from '../cart/open-cart.ts'
import type { StoredCart } from '../cart/stored-cart.ts'
import type { PriceReading } from '../price-projection/read-prices.ts'
import type { CartDiscount } from '../discounts/discount.ts'
import { holdDiscount, validDiscount } from '../discounts/hold-discount.ts'
import { cartOfGoods, type CartToQuote } from './cart-of-goods.ts'
import { withWithdrawn } from './paid-goods.ts'
import { priceCart, taxTermsOf } from '../pricing/price-cart.ts'
import { checkDestination, shippingMethodOf } from '../pricing/delivery.ts'

/** Replies to orders with the price of a cart at an address, before orders charges the buyer. */
export function replyToQuoteCart(context: CartContext): void {
  replyTo(context, QuoteCart, async (request, { actor }) => {
    const { address, onBehalf = false } = request
    const { cart, reading } = await toQuote(context, request, actor)
    const { entries, settings } = reading
    const method = shippingMethodOf(settings, request.shippingMethod)
    const hasNoCountry = onBehalf && address.country.trim() === ''
    if (!hasNoCountry) checkDestination(settings, address)
    const destination = hasNoCountry ? undefined : address
    const price = (discount?: CartDiscount) =>
      priceCart({ lines: cart.lines, entries, settings, destination, shippingMethod: method, discount })
    const undiscounted = price()
    // Checked first, so that no discount redemption is held for a cart that cannot be sold.
    checkAvailable(undiscounted.lines, entries, request.goods ? unsoldLines : withdrawnLines)
    const { discount, claim } = await discountOf(context, cart, reading, request)
    const priced = discount ? price(discount) : undiscounted
    // Recorded before orders can create an order from the cart. No customer resumes the cart of a guest, so nothing is
    // recorded for it.
    if (cart.customerId !== null) await markQuoted(context.db, cart.id, context.clock.now())
    const { mergedCartIds } = cart
    const formerLineIds = cart.lines.flatMap((line) => line.formerIds ?? [])
    const { freeShippingRemaining: _remaining, freeShippingThreshold: _threshold, ...amounts } = priced
    const taxTerms = taxTermsOf(settings, destination)
    const quote: Quote = {
      ...amounts,
      ...(taxTerms && { taxTerms }),
      cartId: cart.id,
      ...(mergedCartIds.length === 0 ? {} : { mergedCartIds }),
      ...(formerLineIds.length === 0 ? {} : { formerLineIds }),
      ...(cart.customerId === null ? {} : { customerId: cart.customerId }),
      ...(claim === undefined ? {} : { discountClaim: claim }),
      shippingMethod: method?.id ?? '',
      terms: termsOf(settings),
    }
    return quote
  })
}

type Request = z.output<typeof QuoteCart.request>

/** The cart in the request, or one made of the goods of a draft order, with the prices of its goods. */
async function toQuote(
  context: CartContext,
  { cartId, goods, onBehalf, paid }: Request,
  actor: Actor,
): Promise<{ cart: CartToQuote; reading: PriceReading }> {
  const cart = goods ? undefined : await findCartToQuote(context, { cartId, onBehalf }, actor)
  const lines = cart?.lines ?? goods?.lines ?? []
  if (lines.length === 0) throw emptyCart()
  const reading = await context.projection.read(lines.map((line) => line.variantId))
  if (reading.unread.size > 0) throw new DependencyUnavailable('catalog')
  if (!cart) return { cart: await cartOfGoods(context.db, { cartId, goods }, reading), reading }
  return { cart, reading: paid ? withWithdrawn(cart.lines, reading) : reading }
}

async function findCartToQuote(
  context: CartContext,
  { cartId, onBehalf }: Pick<Request, 'cartId' | 'onBehalf'>,
  actor: Actor,
): Promise<CartToQuote> {
  const { db, clock } = context
  const found = await findCartWithAliases(db, cartId, clock.now())
  // A merchant may place the order of any customer's cart.
  if (onBehalf && found) return found
  if (!found || !mayTouch(found, actor)) throw cartNotFound()
  if (actor.kind !== 'customer' || found.customerId !== null) return found
  const { customerId } = actor
  await claimForCheckout(context, found.id, customerId)
  const cart = await findCartWithAliases(db, cartId, clock.now())
  if (!cart || !mayTouch(cart, actor)) throw cartNotFound()
  // The order is the customer's, even where the cart stays the guest's.
  return { ...cart, customerId }
}

/** The discount that the cart is sold with, and the claim on its redemption when one is held. */
async function discountOf(
  context: CartContext,
  cart: StoredCart,
  reading: PriceReading,
  { hold, email, paid }: Pick<Request, 'hold' | 'email' | 'paid'>,
): Promise<{ discount?: CartDiscount; claim?: string }> {
  const { discountCode } = cart
  if (discountCode === null) return {}
  const withCode = { ...cart, discountCode }
  if (hold === undefined) return { discount: await validDiscount(context, withCode, reading, email) }
  return holdDiscount(context, withCode, reading, { ...hold, paid })
}

/**
 * The reservation decides about stock, and is not reached when a product was withdrawn. The lines that are short of
 * stock are then named with the withdrawn ones, so that the buyer learns of all of them at once.
 * @throws HttpError `out_of_stock` when a product was withdrawn
 */
function checkAvailable(
  lines: readonly CartLine[],
  entries: PriceReading['entries'],
  errorOf: typeof withdrawnLines,
): void {
  if (lines.every((line) => line.available !== false)) return
  const wanted = lines.map(({ id, variantId, title, options, quantity, available }) => ({
    lineId: id,
    variantId,
    title,
    options,
    wanted: quantity,
    available: available === false ? 0 : (entries.get(variantId)?.inventory ?? 0),
  }))
  throw errorOf(wanted.filter((line) => line.wanted > line.available))
}

function termsOf(settings: PriceSettings): Quote['terms'] {
  const { checkoutMode, numberPrefix, locale, checkoutProvider, storeName, razorpayKeyId } = settings
  return {
    checkoutMode,
    numberPrefix,
    locale,
    checkoutProvider,
    storeName,
    ...(razorpayKeyId === undefined ? {} : { razorpayKeyId }),
  }
}
