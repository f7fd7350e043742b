import { ask, type Clock, type Log, type Messaging } from '@storefront/chassis'
import { CheckCartOrdered } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { convertCarts, findOpenCartOf } from './carts.queries.ts'
import type { StoredCart } from './stored-cart.ts'

/** Longer than a checkout takes, and the news of it. */
const IN_CHECKOUT_MS = 3600 * 1000
/** Who opens a bag should not wait for long. */
const ASK_TIMEOUT_MS = 1000

interface Context {
  db: Database
  messaging: Messaging
  clock: Clock
  log: Log
}

/**
 * The open cart that a customer comes back to. Right after a checkout that is still the cart that was bought, for as long
 * as `order.placed` is on its way: so one that was at the checkout lately is asked about, and closed when it is an order.
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

/** When nobody can say, the cart is handed out: an open one must not be lost because orders is away. */
export async function isOrdered(
  { messaging, log }: Pick<Context, 'messaging' | 'log'>,
  cartId: string,
): Promise<boolean> {
  try {
    return (await ask(messaging, CheckCartOrdered, { cartId }, { timeoutMs: ASK_TIMEOUT_MS })).ordered
  } catch (error) {
    log.warn({ err: error, cartId }, 'nobody says whether a cart has become an order')
    return false
  }
}
