import { QuoteCart } from '@storefront/contracts'
import { sendRequest } from '@storefront/messaging'
import { HttpError } from '@storefront/service'
import type { OrdersContext } from '../context.ts'

const NOWHERE = { name: '', line1: '', city: '', postalCode: '', country: '' }
const OF_THE_CART: ReadonlySet<string> = new Set(['cart_not_found', 'empty_cart'])

/**
 * For a checkout that cannot go on in any case.
 * @throws HttpError `cart_not_found` or `empty_cart`; nothing else, also when cart does not respond
 */
export async function requireFilledCart(
  { messaging }: Pick<OrdersContext, 'messaging'>,
  { cartId, actorToken }: { cartId: string; actorToken: string | undefined },
): Promise<void> {
  const quote = { cartId, address: NOWHERE, shippingMethod: '' }
  await sendRequest(messaging, QuoteCart, quote, { actorToken }).catch((error: unknown) => {
    if (error instanceof HttpError && OF_THE_CART.has(error.code)) throw error
  })
}
