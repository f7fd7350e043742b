import { sendRequest } from '@storefront/messaging'
import { HttpError } from '@storefront/service'
import { QuoteCart, type Address, type DraftOrder, type DraftOrderQuote, type Quote } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import type { DraftContent } from './draft.ts'

type Priced = Pick<DraftContent, 'lines' | 'discountCode' | 'shippingMethod' | 'shippingAddress' | 'email'>

/** The goods of a draft order, for the request that prices them like a cart. */
export function goodsOf({ lines, discountCode }: Pick<DraftContent, 'lines' | 'discountCode'>) {
  return { lines, ...(discountCode !== '' && { discountCode }) }
}

/**
 * What a draft order costs now, by the rules for a cart. Stock is neither checked nor held: that is for the checkout.
 * @param id of the draft, or any other for goods that are not a draft yet
 * @throws HttpError any error of a cart's quote
 */
export function priceDraft({ messaging }: Pick<OrdersContext, 'messaging'>, id: string, draft: Priced): Promise<Quote> {
  const { shippingAddress: address, shippingMethod, email } = draft
  const request = { cartId: id, address, shippingMethod, email, goods: goodsOf(draft) }
  // The merchant may not know the country yet.
  return sendRequest(messaging, QuoteCart, { ...request, ...(isUnknown(address) && { onBehalf: true as const }) })
}

const isUnknown = ({ country }: Address) => country === ''

/** The part of a quote that a draft order shows and stores. */
export function shownQuote(quote: Omit<DraftOrderQuote, 'currency'>): DraftOrderQuote {
  const { lines, subtotal, discount, shipping, tax, total, discountCode } = quote
  const { currency } = total
  return { currency, lines, subtotal, discount, shipping, tax, total, ...(discountCode && { discountCode }) }
}

/** The same for showing a draft: what is wrong with it is a part of the result. @throws DependencyUnavailable */
export async function tryToPrice(
  context: Pick<OrdersContext, 'messaging'>,
  id: string,
  draft: Priced,
): Promise<{ quote?: DraftOrderQuote; problem?: DraftOrder['problem'] }> {
  try {
    return { quote: shownQuote(await priceDraft(context, id, draft)) }
  } catch (error) {
    if (!(error instanceof HttpError) || error.status >= 500) throw error
    return { problem: { code: error.code, message: error.message } }
  }
}
