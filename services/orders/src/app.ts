import {
  every,
  forgetOldReceipts,
  PRIVATE_CACHE_CONTROL,
  startRelay,
  type App,
  type Consumer,
  type Timer,
} from '@storefront/chassis'
import { checkOutCartRoute } from './checkout/check-out-cart.ts'
import { forgetOldClaims } from './checkout/claims.queries.ts'
import { answerSettleClaims } from './checkout/settle-claims.ts'
import type { OrdersContext } from './context.ts'
import { getOrderRoute } from './orders/get-order.ts'
import { listOrdersRoute } from './orders/list-orders.ts'
import { hearOrderPlaced } from './payments/demo-provider.ts'

const DAY_MS = 24 * 3600 * 1000
/** Holds live for minutes; a claim that outlives them by a month is asked for by nobody. */
const CLAIM_MEMORY_DAYS = 30

/** Everything this service offers, hears and does by itself. */
export function registerOrders(app: App, context: OrdersContext): { timers: Timer[]; consumers: Consumer[] } {
  // An order is one person's business: no cache keeps it.
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('cache-control', PRIVATE_CACHE_CONTROL)
    done()
  })

  checkOutCartRoute(app, context)
  getOrderRoute(app, context)
  listOrdersRoute(app, context)

  answerSettleClaims(context)

  return {
    consumers: [hearOrderPlaced(context)],
    timers: [
      startRelay(context),
      every(DAY_MS, 'forget old receipts', context.log, () => forgetOldReceipts(context.db)),
      every(DAY_MS, 'forget old claims', context.log, () =>
        forgetOldClaims(context.db, new Date(context.clock.now().getTime() - CLAIM_MEMORY_DAYS * DAY_MS)),
      ),
    ],
  }
}
