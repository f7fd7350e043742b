import { actorNames, replyToReadActivity } from '@storefront/audit'
import { every, type Stoppable } from '@storefront/service'
import { deleteOldReceipts, startRelay, type Consumer } from '@storefront/messaging'
import { PRIVATE_CACHE_CONTROL, type App } from '@storefront/http'
import { ReadOrdersActivity } from '@storefront/contracts'
import { replyToReadOrderLink } from './access/read-order-link.ts'
import { changeOrderRoute } from './admin/change-order.ts'
import { exportOrdersRoute } from './admin/export-orders.ts'
import { listAllOrdersRoute } from './admin/list-all-orders.ts'
import { showOrderRoute } from './admin/show-order.ts'
import { beginCheckoutSessionRoute } from './checkout/begin-checkout-session.ts'
import { replyToCheckCartOrdered } from './checkout/check-cart-ordered.ts'
import { checkOutCartRoute } from './checkout/check-out-cart.ts'
import { deleteOldClaims } from './checkout/claims.queries.ts'
import { getCheckoutSessionRoute } from './checkout/get-checkout-session.ts'
import { replyToSettleClaims } from './checkout/settle-claims.ts'
import type { OrdersContext } from './context.ts'
import { closeFormerAccounts } from './customers/close-former-accounts.ts'
import { consumeCustomerDeleted } from './customers/consume-customer-deleted.ts'
import { readUnreadAddresses } from './addresses/read-unread-addresses.ts'
import { consumeCustomerUnverified } from './customers/consume-customer-unverified.ts'
import { consumeCustomerVerified } from './customers/consume-customer-verified.ts'
import { replyToReadPersonalData } from './customers/read-personal-data.ts'
import { KEY_MEMORY_DAYS } from './idempotency/respond-once.ts'
import { deleteOldKeys } from './idempotency/idempotency.queries.ts'
import { lookUpOrderRoute } from './lookup/look-up-order.ts'
import { deleteOldLookups } from './lookup/lookup-attempts.ts'
import { getOrderRoute } from './orders/get-order.ts'
import { listOrdersRoute } from './orders/list-orders.ts'
import { demoPages } from './payments/demo/demo-pages.ts'
import { deleteDemoSessions } from './payments/demo/demo.queries.ts'
import { consumeOrderPlaced } from './payments/demo/pay-placed-orders.ts'
import { warnOfDemoPayments } from './payments/demo/warn-of-demo.ts'
import { showPaymentDoneRoute } from './payments/show-payment-done.ts'
import { applyPaymentUpdate } from './payments/apply-payment-update.ts'
import { verifyPaymentRoute } from './payments/verify-payment.ts'
import { placeOrderForMerchantRoute } from './placement/place-order-for-merchant.ts'
import { createReconciler } from './reconciliation/reconcile.ts'
import { watchFindings } from './reconciliation/reconciliation-metrics.ts'
import { reconciliationActivity } from './reconciliation/reconciliation-activity.ts'
import { getReconciliationRoute, runReconciliationRoute } from './reconciliation/reconciliation-routes.ts'
import { refundOrderRoute } from './refunds/refund-order.ts'
import { applyRefundUpdate } from './refunds/apply-refund-update.ts'
import { processRefunds } from './refunds/process-refunds.ts'
import { indexOrders } from './search/index-orders.ts'
import { endDueSessions } from './sessions/end-due-sessions.ts'
import { deleteSessions } from './sessions/delete-sessions.ts'
import { showTimelineRoute } from './timeline/show-timeline.ts'
import { timelineActivity } from './timeline/timeline-activity.ts'
import { receiveWebhookRoute } from './webhooks/receive-webhook.ts'
import { deleteOldEvents } from './webhooks/webhooks.queries.ts'
import { processEvents } from './webhooks/process-events.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Holds last minutes, so no service requests the verdict on a claim that is a month old. */
const CLAIM_MEMORY_DAYS = 30
/** Longer than the stream keeps an event. */
const FORMER_CUSTOMER_MEMORY_DAYS = 14
/** Longer than any provider resends an event. */
const PROVIDER_EVENT_MEMORY_DAYS = 30

/** Every route, consumer, request handler and timer of this service. */
export function registerOrders(app: App, context: OrdersContext): { timers: Stoppable[]; consumers: Consumer[] } {
  const { db, log } = context
  // An order is private to one person: no cache may store it.
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('cache-control', PRIVATE_CACHE_CONTROL)
    done()
  })

  const daysAgo = (days: number) => new Date(context.clock.now().getTime() - days * DAY_MS)

  const providerEvents = processEvents(context, { applyPaymentUpdate, applyRefundUpdate })
  const reconciler = createReconciler(context)
  const eventArrived = () => providerEvents.wake()

  checkOutCartRoute(app, context)
  beginCheckoutSessionRoute(app, context)
  getCheckoutSessionRoute(app, context)
  getOrderRoute(app, context)
  listOrdersRoute(app, context)
  lookUpOrderRoute(app, context)

  verifyPaymentRoute(app, context)
  showPaymentDoneRoute(app, context)
  receiveWebhookRoute(app, context, eventArrived)
  demoPages(app, { ...context, arrived: eventArrived })

  listAllOrdersRoute(app, context)
  exportOrdersRoute(app, context)
  placeOrderForMerchantRoute(app, context)
  showOrderRoute(app, context)
  changeOrderRoute(app, context)
  showTimelineRoute(app, { ...context, names: actorNames(context) })
  refundOrderRoute(app, context)
  getReconciliationRoute(app, context)
  runReconciliationRoute(app, context, reconciler)

  replyToSettleClaims(context)
  replyToCheckCartOrdered(context)
  replyToReadOrderLink(context)
  replyToReadPersonalData(context)
  replyToReadActivity(context, ReadOrdersActivity, [timelineActivity(db), reconciliationActivity(db)])

  return {
    consumers: [
      consumeOrderPlaced(context),
      consumeCustomerVerified(context),
      consumeCustomerUnverified(context),
      consumeCustomerDeleted(context),
    ],
    timers: [
      startRelay(context),
      watchFindings(db),
      providerEvents,
      every(SECOND_MS, 'process refunds', log, () => processRefunds(context)),
      every(5 * SECOND_MS, 'end payment sessions', log, () => endDueSessions(context)),
      every(5 * MINUTE_MS, 'reconcile', log, () => reconciler.reconcileWhenDue()),
      every(5 * MINUTE_MS, 'read email addresses', log, () => readUnreadAddresses(db)),
      indexOrders(context),
      deleteOldLookups(context),
      ...warnOfDemoPayments(context),
      every(HOUR_MS, 'delete old idempotency keys', log, () => deleteOldKeys(db, daysAgo(KEY_MEMORY_DAYS))),
      every(HOUR_MS, 'delete payment sessions', log, () => deleteSessions(context)),
      every(HOUR_MS, 'close former accounts', log, () => closeFormerAccounts(db, daysAgo(FORMER_CUSTOMER_MEMORY_DAYS))),
      every(DAY_MS, 'delete old receipts', log, () => deleteOldReceipts(db)),
      every(DAY_MS, 'delete old claims', log, () => deleteOldClaims(db, daysAgo(CLAIM_MEMORY_DAYS))),
      every(DAY_MS, 'delete old provider events', log, () => deleteOldEvents(db, daysAgo(PROVIDER_EVENT_MEMORY_DAYS))),
      every(DAY_MS, 'delete old demo payments', log, () => deleteDemoSessions(db, daysAgo(PROVIDER_EVENT_MEMORY_DAYS))),
    ],
  }
}
