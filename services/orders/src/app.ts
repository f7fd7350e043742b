import { actorNames, replyToReadActivity } from '@storefront/audit'
import type { Registered, Stoppable } from '@storefront/service'
import { startRelay } from '@storefront/messaging'
import { startRetention } from '@storefront/postgres'
import { signalWrites } from '@storefront/service-start'
import { keepResponsesPrivate, type App } from '@storefront/http'
import { ReadOrdersActivity } from '@storefront/contracts'
import { replyToReadOrderLink } from './access/read-order-link.ts'
import { canonicalizeAddresses } from './addresses/canonicalize-addresses.ts'
import { changeOrderRoute } from './admin/change-order.ts'
import { exportOrdersRoute } from './admin/export-orders.ts'
import { listAllOrdersRoute } from './admin/list-all-orders.ts'
import { getAdminOrderRoute } from './admin/get-admin-order.ts'
import { getAttentionRoute } from './attention/get-attention.ts'
import { ordersActivity } from './audit/orders-activity.ts'
import { applyBuyerChanges } from './buyers/apply-buyer-changes.ts'
import { changeBuyerRoute } from './buyers/change-buyer.ts'
import { removeBuyerNoteRoute } from './buyers/remove-buyer-note.ts'
import { eraseBuyerRoute } from './buyers/erase-buyer.ts'
import { exportBuyerRoute } from './buyers/export-buyer.ts'
import { listBuyersRoute } from './buyers/list-buyers.ts'
import { getBuyerRoute } from './buyers/get-buyer.ts'
import { addBuyerNoteRoute } from './buyers/add-buyer-note.ts'
import { beginCheckoutSessionRoute } from './checkout/begin-checkout-session.ts'
import { replyToCheckCartOrdered } from './checkout/check-cart-ordered.ts'
import { checkOutCartRoute } from './checkout/check-out-cart.ts'
import { getCheckoutSessionRoute } from './checkout/get-checkout-session.ts'
import { replyToSettleClaims } from './checkout/settle-claims.ts'
import type { OrdersContext } from './context.ts'
import { applyCountChanges } from './counts/apply-count-changes.ts'
import { consumeCustomerDeleted } from './customers/consume-customer-deleted.ts'
import { consumeCustomerUnverified } from './customers/consume-customer-unverified.ts'
import { consumeCustomerVerified } from './customers/consume-customer-verified.ts'
import { replyToReadPersonalData } from './customers/read-personal-data.ts'
import { createPrinter } from './documents/printer.ts'
import { getInvoiceRoute } from './documents/get-invoice.ts'
import { getPackingSlipRoute } from './documents/get-packing-slip.ts'
import { cancelDraftRoute } from './drafts/cancel-draft.ts'
import { changeDraftRoute } from './drafts/change-draft.ts'
import { createDraftRoute } from './drafts/create-draft.ts'
import { listDraftsRoute } from './drafts/list-drafts.ts'
import { quoteDraftRoute } from './drafts/quote-draft.ts'
import { replyToReadPaymentLink } from './drafts/read-payment-link.ts'
import { sendDraftRoute } from './drafts/send-draft.ts'
import { getDraftRoute } from './drafts/get-draft.ts'
import { fulfilOrderRoute } from './fulfilments/fulfil-order.ts'
import { lookUpOrderRoute } from './lookup/look-up-order.ts'
import { removeNoteRoute } from './notes/remove-note.ts'
import { addNoteRoute } from './notes/add-note.ts'
import { getOrderRoute } from './orders/get-order.ts'
import { listOrdersRoute } from './orders/list-orders.ts'
import { addPages } from './pages/add-pages.ts'
import { cancelDemoSessionRoute } from './payments/demo/cancel-demo-session.ts'
import type { DemoContext } from './payments/demo/decide-demo-session.ts'
import { declineDemoSessionRoute } from './payments/demo/decline-demo-session.ts'
import { DEMO_PAGES } from './payments/demo/demo-page.ts'
import { payDemoSessionRoute } from './payments/demo/pay-demo-session.ts'
import { getDemoSessionRoute } from './payments/demo/get-demo-session.ts'
import { consumeOrderPlaced } from './payments/demo/consume-order-placed.ts'
import { warnOfDemoPayments } from './payments/demo/warn-of-demo.ts'
import { getPaymentDoneRoute } from './payments/get-payment-done.ts'
import { applyPaymentUpdate } from './payments/apply-payment-update.ts'
import { verifyPaymentRoute } from './payments/verify-payment.ts'
import { placeOrderForMerchantRoute } from './placement/place-order-for-merchant.ts'
import { createReconciler, reconcileAgain } from './reconciliation/reconcile.ts'
import { watchFindings } from './reconciliation/reconciliation-metrics.ts'
import { getReconciliationRoute, runReconciliationRoute } from './reconciliation/reconciliation-routes.ts'
import { refundOrderRoute } from './refunds/refund-order.ts'
import { applyRefundUpdate } from './refunds/apply-refund-update.ts'
import { processRefunds } from './refunds/process-refunds.ts'
import { RETENTION } from './retention.ts'
import { payDraftRoute } from './pay/pay-draft.ts'
import { PAYMENT_PAGES } from './pay/payment-page.ts'
import { returnFromRazorpayRoute } from './pay/return-from-razorpay.ts'
import { getPaymentPageRoute } from './pay/get-payment-page.ts'
import { applySalesChanges } from './sales/apply-sales-changes.ts'
import { getSummaryRoute } from './sales/get-summary.ts'
import { indexOrders } from './search/index-orders.ts'
import { endDueSessions } from './sessions/end-due-sessions.ts'
import { getTimelineRoute } from './timeline/get-timeline.ts'
import { timelineActivity } from './timeline/timeline-activity.ts'
import { receiveWebhookRoute } from './webhooks/receive-webhook.ts'
import { processEvents } from './webhooks/process-events.ts'

/** Every route, consumer, request handler and timer of this service. */
export function registerOrders(app: App, context: OrdersContext): Registered {
  const { db } = context
  // An order is private to one person.
  keepResponsesPrivate(app)

  const providerEvents = processEvents(context, { applyPaymentUpdate, applyRefundUpdate })
  const reconciler = createReconciler(context)
  const eventArrived = () => providerEvents.wake()

  checkOutCartRoute(app, context) //         POST   /carts/:id/checkout
  beginCheckoutSessionRoute(app, context) // POST   /checkout/sessions
  getCheckoutSessionRoute(app, context) //   GET    /checkout/sessions/:id
  getOrderRoute(app, context) //             GET    /orders/:id
  listOrdersRoute(app, context) //           GET    /orders
  lookUpOrderRoute(app, context) //          POST   /orders/lookup

  verifyPaymentRoute(app, context) //                POST   /payments/verify
  getPaymentDoneRoute(app, context) //               GET    /payments/done
  receiveWebhookRoute(app, context, eventArrived) // POST   /webhooks/:provider
  registerDemoPages(app, { ...context, arrived: eventArrived })

  registerAdminOrders(app, context)
  registerDrafts(app, context)
  registerBuyers(app, context)

  getSummaryRoute(app, context) //   GET    /admin/summary
  getAttentionRoute(app, context) // GET    /admin/attention

  getReconciliationRoute(app, context) //             GET    /admin/reconciliation
  runReconciliationRoute(app, context, reconciler) // POST   /admin/reconciliation

  replyToSettleClaims(context)
  replyToCheckCartOrdered(context)
  replyToReadOrderLink(context)
  replyToReadPersonalData(context)
  replyToReadActivity(context, ReadOrdersActivity, [timelineActivity(db), ordersActivity(db)])

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
      processRefunds(context),
      endDueSessions(context),
      reconcileAgain(context, reconciler),
      canonicalizeAddresses(context),
      ...followOrders(context),
      ...warnOfDemoPayments(context),
      ...startRetention(RETENTION, context),
      context.pageClosings,
      context.credentials,
    ],
  }
}

/** What is made from orders a moment later. */
function followOrders(context: OrdersContext): Stoppable[] {
  return [indexOrders(context), applyCountChanges(context), applySalesChanges(context), applyBuyerChanges(context)]
}

/** The pages on which a buyer pays the demo provider. */
function registerDemoPages(app: App, context: DemoContext): void {
  addPages(app, DEMO_PAGES, (pages) => {
    getDemoSessionRoute(pages, context) //     GET    /payments/demo/:session
    payDemoSessionRoute(pages, context) //     POST   /payments/demo/:session/pay
    declineDemoSessionRoute(pages, context) // POST   /payments/demo/:session/decline
    cancelDemoSessionRoute(pages, context) //  POST   /payments/demo/:session/cancel
  })
}

function registerAdminOrders(app: App, context: OrdersContext): void {
  signalWrites(app, context, { '/admin/orders': ['orders', 'attention'], '/admin/draft-orders': ['orders'] })
  const names = actorNames(context)
  const printer = createPrinter()

  listAllOrdersRoute(app, context) //             GET    /admin/orders
  exportOrdersRoute(app, context) //              GET    /admin/orders/export
  placeOrderForMerchantRoute(app, context) //     POST   /admin/orders
  getAdminOrderRoute(app, context) //             GET    /admin/orders/:id
  changeOrderRoute(app, context) //               PATCH  /admin/orders/:id
  getTimelineRoute(app, { ...context, names }) // GET    /admin/orders/:id/timeline
  fulfilOrderRoute(app, context) //               POST   /admin/orders/:id/fulfilments
  refundOrderRoute(app, context) //               POST   /admin/orders/:id/refunds

  addNoteRoute(app, { ...context, names }) //          POST   /admin/orders/:id/notes
  removeNoteRoute(app, context) //                     DELETE /admin/orders/:id/notes/:noteId
  getPackingSlipRoute(app, { ...context, printer }) // GET    /admin/orders/:id/packing-slip.pdf
  getInvoiceRoute(app, { ...context, printer }) //     GET    /admin/orders/:id/invoice.pdf
}

function registerDrafts(app: App, orders: OrdersContext): void {
  const context = { ...orders, names: actorNames(orders) }

  listDraftsRoute(app, context) //  GET    /admin/draft-orders
  createDraftRoute(app, context) // POST   /admin/draft-orders
  quoteDraftRoute(app, context) //  POST   /admin/draft-orders/quote
  getDraftRoute(app, context) //    GET    /admin/draft-orders/:id
  changeDraftRoute(app, context) // PATCH  /admin/draft-orders/:id
  cancelDraftRoute(app, context) // DELETE /admin/draft-orders/:id
  sendDraftRoute(app, context) //   POST   /admin/draft-orders/:id/send

  addPages(app, PAYMENT_PAGES, (pages) => {
    getPaymentPageRoute(pages, context) //     GET    /pay/:token
    payDraftRoute(pages, context) //           POST   /pay/:token
    returnFromRazorpayRoute(pages, context) // POST   /pay/returned
  })
  replyToReadPaymentLink(context)
}

function registerBuyers(app: App, context: OrdersContext): void {
  const names = actorNames(context)

  listBuyersRoute(app, context) //                 GET    /admin/buyers
  getBuyerRoute(app, { ...context, names }) //     GET    /admin/buyers/:id
  changeBuyerRoute(app, context) //                PATCH  /admin/buyers/:id
  eraseBuyerRoute(app, context) //                 DELETE /admin/buyers/:id
  exportBuyerRoute(app, context) //                GET    /admin/buyers/:id/export
  addBuyerNoteRoute(app, { ...context, names }) // POST   /admin/buyers/:id/notes
  removeBuyerNoteRoute(app, context) //            DELETE /admin/buyers/:id/notes/:noteId
}
