import { actorNames, replyToReadActivity } from '@storefront/audit'
import type { Registered } from '@storefront/service'
import { startRetention } from '@storefront/postgres'
import type { App } from '@storefront/http'
import {
  CategoryUpdated,
  InventoryUpdated,
  OrderCancelled,
  OrderFulfilled,
  OrderPaid,
  OrderPlaced,
  OrderRefunded,
  ParcelSent,
  ProductDeleted,
  ProductUpdated,
  ReadNotifierActivity,
  SettingsUpdated,
  TrackingUpdated,
} from '@storefront/contracts'
import { listAuditRoute } from './audit/list-audit.ts'
import { notifierActivity } from './audit/notifier-activity.ts'
import type { NotifierContext, WorkerContext } from './context.ts'
import { watchDeliveries } from './deliveries/delivery-metrics.ts'
import { DeliveryWorker } from './deliveries/delivery-worker.ts'
import { getDeliveryRoute } from './deliveries/get-delivery.ts'
import { listDeliveriesRoute } from './deliveries/list-deliveries.ts'
import { consumeWebhookEvent } from './deliveries/consume-webhook-events.ts'
import {
  aboutOrder,
  categoryUpdated,
  inventoryUpdated,
  productDeleted,
  productUpdated,
  settingsUpdated,
} from './deliveries/webhook-contents.ts'
import { changeEndpointRoute } from './endpoints/change-endpoint.ts'
import { cleanUpEndpoints } from './endpoints/clean-up-endpoints.ts'
import { createEndpointRoute } from './endpoints/create-endpoint.ts'
import { deleteEndpointRoute } from './endpoints/delete-endpoint.ts'
import { disableEndpointRoute } from './endpoints/disable-endpoint.ts'
import { enableEndpointRoute } from './endpoints/enable-endpoint.ts'
import { getEndpointRoute } from './endpoints/get-endpoint.ts'
import { listEndpointsRoute } from './endpoints/list-endpoints.ts'
import { rotateSecretRoute } from './endpoints/rotate-secret.ts'
import { testEndpointRoute } from './endpoints/test-endpoint.ts'
import { replayDeliveriesRoute } from './deliveries/replay-deliveries.ts'
import { replayDeliveryRoute } from './deliveries/replay-delivery.ts'
import { bindNewPassword } from './mails/bind-password.ts'
import { consumeAlertMailsRequested } from './mails/consume-alert-mails-requested.ts'
import { consumeBuyerErased } from './mails/consume-buyer-erased.ts'
import { consumeCustomerDeleted } from './mails/consume-customer-deleted.ts'
import { consumeMailRequested } from './mails/consume-mail-requested.ts'
import { consumePaymentLinkRequested } from './mails/consume-payment-link-requested.ts'
import { consumeOrderEvent, orderMails } from './mails/consume-order-events.ts'
import { listMailsRoute } from './mails/list-mails.ts'
import { listTemplatesRoute } from './mails/list-templates.ts'
import { watchMails } from './mails/mail-metrics.ts'
import { startMailWorker } from './mails/mail-worker.ts'
import { previewMailRoute } from './mails/preview-mail.ts'
import { replyToReadPersonalData } from './mails/read-personal-data.ts'
import { resendMailRoute } from './mails/resend-mail.ts'
import { sendTestMailRoute } from './mails/send-test-mail.ts'
import { RETENTION } from './retention.ts'

/** Below the 10 s after which a stopping process is ended. */
const STOP_GRACE_MS = 7000

/** Registers every route, consumer, request handler, worker and timer of this service. */
export function registerNotifier(app: App, base: WorkerContext): Registered {
  const { db } = base
  const deliveries = new DeliveryWorker(base)
  const mails = startMailWorker(base)
  const context = { ...base, deliver: () => deliveries.wake(), sendMails: () => mails.wake() }

  registerWebhooks(app, context)
  registerMails(app, context)

  replyToReadPersonalData(context) // notifier.personal-data, requested by identity
  replyToReadActivity(context, ReadNotifierActivity, [notifierActivity(db)])

  return {
    consumers: [
      consumeWebhookEvent(context, ProductUpdated, productUpdated),
      consumeWebhookEvent(context, ProductDeleted, productDeleted),
      consumeWebhookEvent(context, InventoryUpdated, inventoryUpdated),
      consumeWebhookEvent(context, CategoryUpdated, categoryUpdated),
      consumeWebhookEvent(context, SettingsUpdated, settingsUpdated),
      consumeWebhookEvent(context, OrderPaid, aboutOrder, orderMails(context, 'paymentCaptured')),
      consumeWebhookEvent(context, OrderFulfilled, aboutOrder, orderMails(context, 'shipped')),
      consumeOrderEvent(context, OrderPlaced, 'orderPlaced'),
      consumeOrderEvent(context, ParcelSent, 'partlyShipped'),
      consumeOrderEvent(context, TrackingUpdated, 'trackingUpdated'),
      consumeOrderEvent(context, OrderRefunded, 'refunded'),
      consumeOrderEvent(context, OrderCancelled, 'cancelled'),
      consumeMailRequested(context),
      consumePaymentLinkRequested(context),
      consumeAlertMailsRequested(context),
      consumeCustomerDeleted(context),
      consumeBuyerErased(context),
      // The workers stop at the same time: what is still consumed is queued for the next start, and a receiver that
      // hangs takes the whole grace.
      { stop: () => deliveries.stop(STOP_GRACE_MS) },
      { stop: () => mails.stop(STOP_GRACE_MS) },
    ],
    timers: [
      watchDeliveries(db),
      watchMails(db),
      bindNewPassword(context),
      cleanUpEndpoints(context),
      ...startRetention(RETENTION, context),
      context.credentials,
    ],
  }
}

function registerWebhooks(app: App, context: NotifierContext): void {
  createEndpointRoute(app, context) //                                   POST   /admin/webhooks
  listEndpointsRoute(app, context) //                                    GET    /admin/webhooks
  getEndpointRoute(app, context) //                                      GET    /admin/webhooks/:id
  changeEndpointRoute(app, context) //                                   PATCH  /admin/webhooks/:id
  deleteEndpointRoute(app, context) //                                   DELETE /admin/webhooks/:id
  enableEndpointRoute(app, context) //                                   POST   /admin/webhooks/:id/enable
  disableEndpointRoute(app, context) //                                  POST   /admin/webhooks/:id/disable
  rotateSecretRoute(app, context) //                                     POST   /admin/webhooks/:id/rotate
  testEndpointRoute(app, context) //                                     POST   /admin/webhooks/:id/test
  listAuditRoute(app, { db: context.db, names: actorNames(context) }) // GET    /admin/webhooks/audit
  listDeliveriesRoute(app, context) //                                   GET    /admin/webhooks/deliveries
  getDeliveryRoute(app, context) //                                      GET    /admin/webhooks/deliveries/:id
  replayDeliveryRoute(app, context) //                                   POST   /admin/webhooks/deliveries/:id/replay
  replayDeliveriesRoute(app, context) //                                 POST   /admin/webhooks/deliveries/replay
}

function registerMails(app: App, context: NotifierContext): void {
  listMailsRoute(app, context) //     GET    /admin/notifications
  sendTestMailRoute(app, context) //  POST   /admin/notifications/test
  resendMailRoute(app, context) //    POST   /admin/notifications/:id/resend
  previewMailRoute(app, context) //   GET    /admin/notifications/preview/:event
  listTemplatesRoute(app, context) // GET    /admin/notifications/templates
}
