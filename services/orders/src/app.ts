import {
  every,
  forgetOldReceipts,
  PRIVATE_CACHE_CONTROL,
  startRelay,
  type App,
  type Consumer,
  type Timer,
} from '@storefront/chassis'
import { beginCheckoutSessionRoute } from './checkout/begin-checkout-session.ts'
import { changeOrderRoute } from './admin/change-order.ts'
import { listAllOrdersRoute } from './admin/list-all-orders.ts'
import { showOrderRoute } from './admin/show-order.ts'
import { checkOutCartRoute } from './checkout/check-out-cart.ts'
import { forgetOldClaims } from './checkout/claims.queries.ts'
import { answerCheckCartOrdered } from './checkout/check-cart-ordered.ts'
import { getCheckoutSessionRoute } from './checkout/get-checkout-session.ts'
import { answerSettleClaims } from './checkout/settle-claims.ts'
import type { OrdersContext } from './context.ts'
import { closeFormerAccounts } from './customers/close-former-accounts.ts'
import { hearCustomerDeleted } from './customers/hear-customer-deleted.ts'
import { hearCustomerVerified } from './customers/hear-customer-verified.ts'
import { answerReadPersonalData } from './customers/read-personal-data.ts'
import { forgetOldKeys } from './idempotency/idempotency.queries.ts'
import { getOrderRoute } from './orders/get-order.ts'
import { listOrdersRoute } from './orders/list-orders.ts'
import { placeOrderForMerchantRoute } from './placement/place-order-for-merchant.ts'
import { endDueSessions } from './sessions/end-due-sessions.ts'
import { demoPages } from './payments/demo/demo-pages.ts'
import { forgetDemoSessions } from './payments/demo/demo.queries.ts'
import { hearOrderPlaced } from './payments/demo/pay-placed-orders.ts'
import { takePaymentNews } from './payments/take-payment-news.ts'
import { takeRefundNews } from './refunds/take-refund-news.ts'
import { receiveWebhookRoute } from './webhooks/receive-webhook.ts'
import { forgetOldEvents } from './webhooks/webhooks.queries.ts'
import { workOffEvents } from './webhooks/work-off-events.ts'
import { showPaymentDoneRoute } from './payments/show-payment-done.ts'
import { verifyPaymentRoute } from './payments/verify-payment.ts'
import { lookUpOrderRoute } from './lookup/look-up-order.ts'
import { forgetOldLookups } from './lookup/lookup-attempts.ts'
import { showTimelineRoute } from './timeline/show-timeline.ts'

const SESSIONS_MS = 5000
import { refundOrderRoute } from './refunds/refund-order.ts'
import { workOffRefunds } from './refunds/work-off-refunds.ts'

const SECOND_MS = 1000
const HOUR_MS = 3600 * 1000
const DAY_MS = 24 * HOUR_MS
/** Holds live for minutes; a claim that outlives them by a month is asked for by nobody. */
const CLAIM_MEMORY_DAYS = 30
/** A day (decisions, section 5). */
const IDEMPOTENCY_MEMORY_DAYS = 1
/** Longer than the stream keeps an event. */
const FORMER_CUSTOMER_MEMORY_DAYS = 14
/** Longer than any provider repeats an event. */
const PROVIDER_EVENT_MEMORY_DAYS = 30

/** Everything this service offers, hears and does by itself. */
export function registerOrders(app: App, context: OrdersContext): { timers: Timer[]; consumers: Consumer[] } {
  // An order is one person's business: no cache keeps it.
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('cache-control', PRIVATE_CACHE_CONTROL)
    done()
  })

  const daysAgo = (days: number) => new Date(context.clock.now().getTime() - days * DAY_MS)

  const providerEvents = workOffEvents(context, { takePaymentNews, takeRefundNews })
  const eventArrived = () => providerEvents.poke()

  checkOutCartRoute(app, context)
  beginCheckoutSessionRoute(app, context)
  getCheckoutSessionRoute(app, context)
  verifyPaymentRoute(app, context)
  showPaymentDoneRoute(app, context)
  getOrderRoute(app, context)
  listOrdersRoute(app, context)
  placeOrderForMerchantRoute(app, context)
  refundOrderRoute(app, context)
  receiveWebhookRoute(app, context, eventArrived)
  demoPages(app, { ...context, arrived: eventArrived })
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
      every(SECOND_MS, 'work off refunds', context.log, () => workOffRefunds(context)),
      every(DAY_MS, 'forget old receipts', context.log, () => forgetOldReceipts(context.db)),
      forgetOldLookups(context),
      every(DAY_MS, 'forget old claims', context.log, () => forgetOldClaims(context.db, daysAgo(CLAIM_MEMORY_DAYS))),
      every(SESSIONS_MS, 'end payment sessions', context.log, () => endDueSessions(context)),
      every(HOUR_MS, 'forget old idempotency keys', context.log, () =>
        forgetOldKeys(context.db, daysAgo(IDEMPOTENCY_MEMORY_DAYS)),
      ),
      providerEvents,
      every(DAY_MS, 'forget old provider events', context.log, () =>
        forgetOldEvents(context.db, daysAgo(PROVIDER_EVENT_MEMORY_DAYS)),
      ),
      every(DAY_MS, 'forget old demo payments', context.log, () =>
        forgetDemoSessions(context.db, daysAgo(PROVIDER_EVENT_MEMORY_DAYS)),
      ),
      every(HOUR_MS, 'close former accounts', context.log, () =>
        closeFormerAccounts(context.db, daysAgo(FORMER_CUSTOMER_MEMORY_DAYS)),
      ),
    ],
  }
}
