import {
  every,
  forgetOldReceipts,
  PRIVATE_CACHE_CONTROL,
  startRelay,
  type App,
  type Consumer,
  type Timer,
} from '@storefront/chassis'
import { changeOrderRoute } from './admin/change-order.ts'
import { listAllOrdersRoute } from './admin/list-all-orders.ts'
import { showOrderRoute } from './admin/show-order.ts'
import { checkOutCartRoute } from './checkout/check-out-cart.ts'
import { forgetOldClaims } from './checkout/claims.queries.ts'
import { answerCheckCartOrdered } from './checkout/check-cart-ordered.ts'
import { answerSettleClaims } from './checkout/settle-claims.ts'
import type { OrdersContext } from './context.ts'
import { closeFormerAccounts } from './customers/close-former-accounts.ts'
import { hearCustomerDeleted } from './customers/hear-customer-deleted.ts'
import { hearCustomerVerified } from './customers/hear-customer-verified.ts'
import { answerReadPersonalData } from './customers/read-personal-data.ts'
import { lookUpOrderRoute } from './lookup/look-up-order.ts'
import { forgetOldLookups } from './lookup/lookup-attempts.ts'
import { getOrderRoute } from './orders/get-order.ts'
import { listOrdersRoute } from './orders/list-orders.ts'
import { hearOrderPlaced } from './payments/demo-provider.ts'
import { showTimelineRoute } from './timeline/show-timeline.ts'

const HOUR_MS = 3600 * 1000
const DAY_MS = 24 * HOUR_MS
/** Holds live for minutes; a claim that outlives them by a month is asked for by nobody. */
const CLAIM_MEMORY_DAYS = 30
/** Longer than the stream keeps an event. */
const FORMER_CUSTOMER_MEMORY_DAYS = 14

/** Everything this service offers, hears and does by itself. */
export function registerOrders(app: App, context: OrdersContext): { timers: Timer[]; consumers: Consumer[] } {
  // An order is one person's business: no cache keeps it.
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('cache-control', PRIVATE_CACHE_CONTROL)
    done()
  })

  const daysAgo = (days: number) => new Date(context.clock.now().getTime() - days * DAY_MS)

  checkOutCartRoute(app, context)
  getOrderRoute(app, context)
  listOrdersRoute(app, context)
  lookUpOrderRoute(app, context)

  listAllOrdersRoute(app, context)
  showOrderRoute(app, context)
  showTimelineRoute(app, context)
  changeOrderRoute(app, context)

  answerSettleClaims(context)
  answerCheckCartOrdered(context)
  answerReadPersonalData(context)

  return {
    consumers: [hearOrderPlaced(context), hearCustomerVerified(context), hearCustomerDeleted(context)],
    timers: [
      startRelay(context),
      every(DAY_MS, 'forget old receipts', context.log, () => forgetOldReceipts(context.db)),
      forgetOldLookups(context),
      every(DAY_MS, 'forget old claims', context.log, () => forgetOldClaims(context.db, daysAgo(CLAIM_MEMORY_DAYS))),
      every(HOUR_MS, 'close former accounts', context.log, () =>
        closeFormerAccounts(context.db, daysAgo(FORMER_CUSTOMER_MEMORY_DAYS)),
      ),
    ],
  }
}
