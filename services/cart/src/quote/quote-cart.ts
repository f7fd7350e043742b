import { answer, DependencyUnavailable } from '@storefront/chassis'
import { QuoteCart, servedCountries, type BoardSettings, type Quote, type ShippingMethod } from '@storefront/contracts'
import type { CartContext } from '../context.ts'
import { emptyCart, invalidShippingMethod, undeliverableCountry, withdrawnLines } from '../errors.ts'
import { markQuoted } from '../cart/carts.queries.ts'
import { openCart } from '../cart/open-cart.ts'
import { priceCart } from '../pricing/price-cart.ts'

/** What a cart costs at this address, as orders is about to sell it. */
export function answerQuoteCart(context: CartContext): void {
  answer(context, QuoteCart, async (question, { actor }) => {
    const cart = await openCart(context, question.cartId, actor)
    if (cart.lines.length === 0) throw emptyCart()
    const { entries, settings, unread } = await context.board.read(cart.lines.map((line) => line.variantId))
    if (unread.size > 0) throw new DependencyUnavailable('catalog')
    const method = shippingMethodOf(settings, question.shippingMethod)
    checkCountry(settings, question.address.country)
    const priced = priceCart({
      lines: cart.lines,
      entries,
      settings,
      destination: question.address,
      shippingMethod: method,
    })
    const withdrawn = priced.lines.filter((line) => line.available === false)
    if (withdrawn.length > 0) {
      throw withdrawnLines(
        withdrawn.map(({ id, variantId, title, options, quantity }) => ({
          lineId: id,
          variantId,
          title,
          options,
          wanted: quantity,
          available: 0,
        })),
      )
    }
    // Before orders can make an order of it. A guest's cart is handed out to nobody.
    if (cart.customerId !== null) await markQuoted(context.db, cart.id, context.clock.now())
    const { freeShippingRemaining: _remaining, freeShippingThreshold: _threshold, ...amounts } = priced
    const quote: Quote = {
      ...amounts,
      cartId: cart.id,
      ...(cart.customerId === null ? {} : { customerId: cart.customerId }),
      shippingMethod: method?.id ?? '',
      terms: termsOf(settings),
    }
    return quote
  })
}

function termsOf(settings: BoardSettings): Quote['terms'] {
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

/** @throws Refusal `invalid_shipping_method`; a shop without methods takes any name, and charges nothing */
function shippingMethodOf({ commerce }: BoardSettings, id: string): ShippingMethod | undefined {
  const methods = commerce.shippingMethods ?? []
  const method = id === '' ? methods[0] : methods.find((each) => each.id === id)
  if (!method && methods.length > 0) throw invalidShippingMethod(methods.map((each) => each.id))
  return method
}

function checkCountry({ commerce }: BoardSettings, country: string): void {
  const served = servedCountries(commerce)
  if (served.length > 0 && !served.includes(country.toUpperCase())) throw undeliverableCountry(country)
}
