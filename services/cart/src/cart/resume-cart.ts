import { sendRequest } from '@storefront/messaging'
import { HOUR_MS } from '@storefront/service'
import { CheckCartOrdered } from '@storefront/contracts'
import type { CartContext } from '../context.ts'
import { convertCarts, findOpenCartOf } from './carts.queries.ts'
import type { StoredCart } from './stored-cart.ts'

/** Longer than a checkout takes, including the delivery of its event. */
const IN_CHECKOUT_MS = HOUR_MS
/** A customer who opens the cart waits for this reply. */
const REQUEST_TIMEOUT_MS = 1000

type Context = Pick<CartContext, 'db' | 'messaging' | 'clock' | 'log'>

/**
 * The open cart that a customer comes back to. Until `order.placed` is consumed, it may be a cart that was just bought:
 * one that was recently at the checkout is closed here when orders replies that it became an order.
 */
export async function resumeCart(context: Context, customerId: string): Promise<StoredCart | undefined> {
  const { db, clock } = context
  const now = clock.now()
  for (;;) {
    const cart = await findOpenCartOf(db, customerId, now)
    const quotedMs = cart?.quotedAt?.getTime() ?? -Infinity
    if (!cart || now.getTime() - quotedMs > IN_CHECKOUT_MS || !(await isOrdered(context, cart.id))) return cart
    await convertCarts(db, [cart.id])
  }
}

/**
 * Whether orders has an order of this cart. False when orders does not reply: its outage must not hide an open cart.
 */
export async function isOrdered(
  { messaging, log }: Pick<Context, 'messaging' | 'log'>,
  cartId: string,
): Promise<boolean> {
  try {
    return (await sendRequest(messaging, CheckCartOrdered, { cartId }, { timeoutMs: REQUEST_TIMEOUT_MS })).ordered
  } catch (error) {
    // Logged without the id of the cart, which alone gives access to a guest's cart.
    log.warn({ err: error }, 'orders did not report whether a cart became an order; the cart is treated as open')
    return false
  }
}
