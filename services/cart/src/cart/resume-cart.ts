import { sendRequest, type Clock, type Log, type Messaging } from '@storefront/chassis'
import { CheckCartOrdered } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { convertCarts, findOpenCartOf } from './carts.queries.ts'
import type { StoredCart } from './stored-cart.ts'

/** Longer than a checkout takes, including the delivery of its event. */
const IN_CHECKOUT_MS = 3600 * 1000
/** A customer who opens the cart should not wait for long. */
const REQUEST_TIMEOUT_MS = 1000

interface Context {
  db: Database
  messaging: Messaging
  clock: Clock
  log: Log
}

/**
 * The open cart that a customer comes back to. Right after a checkout that is still the cart that was bought, until
 * `order.placed` is consumed: so orders is asked about a cart that was recently at the checkout, and one that became an
 * order is closed.
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

/** When orders does not reply, the cart is returned: an outage of orders must not hide an open cart. */
export async function isOrdered(
  { messaging, log }: Pick<Context, 'messaging' | 'log'>,
  cartId: string,
): Promise<boolean> {
  try {
    return (await sendRequest(messaging, CheckCartOrdered, { cartId }, { timeoutMs: REQUEST_TIMEOUT_MS })).ordered
  } catch (error) {
    log.warn({ err: error, cartId }, 'orders did not reply whether a cart has become an order')
    return false
  }
}
