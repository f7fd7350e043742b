import { every, forgetOldReceipts, type ActorVerifier, type App, type Consumer, type Timer } from '@storefront/chassis'
import {
  CategoryUpdated,
  InventoryUpdated,
  OrderFulfilled,
  OrderPaid,
  ProductDeleted,
  ProductUpdated,
  SettingsUpdated,
} from '@storefront/contracts'
import type { NotifierContext } from './context.ts'
import { announce } from './deliveries/announce.ts'
import {
  categoryUpdated,
  inventoryUpdated,
  orderFulfilled,
  orderPaid,
  productDeleted,
  productUpdated,
  settingsUpdated,
} from './deliveries/announcements.ts'
import { forgetOldDeliveries } from './deliveries/forget-old-deliveries.ts'
import { listDeliveriesRoute } from './deliveries/list-deliveries.ts'
import { forgetOldMails } from './mails/forget-old-mails.ts'
import { forgetCustomerMails } from './mails/hear-customer-deleted.ts'
import { mailAccount } from './mails/hear-mail-requested.ts'
import { mailOrderPlaced } from './mails/hear-order-placed.ts'
import { customerMailsAnswer } from './mails/read-customer-mails.ts'

const HOUR_MS = 3600 * 1000

/** Everything this service offers, hears and does by itself, beside the two workers. */
export function registerNotifier(
  app: App,
  context: NotifierContext & { verifyActor: ActorVerifier; deliver: () => void; sendMails: () => void },
): { consumers: Consumer[]; timers: Timer[] } {
  const { db, log } = context

  listDeliveriesRoute(app, context) // GET /admin/webhooks/deliveries

  customerMailsAnswer(context) //      notifier.personal-data, asked by identity

  return {
    consumers: [
      announce(context, ProductUpdated, productUpdated),
      announce(context, ProductDeleted, productDeleted),
      announce(context, InventoryUpdated, inventoryUpdated),
      announce(context, CategoryUpdated, categoryUpdated),
      announce(context, SettingsUpdated, settingsUpdated),
      announce(context, OrderPaid, orderPaid),
      announce(context, OrderFulfilled, orderFulfilled),
      mailOrderPlaced(context),
      mailAccount(context),
      forgetCustomerMails(context),
    ],
    timers: [
      every(HOUR_MS, 'forget old deliveries', log, () => forgetOldDeliveries(context)),
      every(HOUR_MS, 'forget old mails', log, () => forgetOldMails(context)),
      every(24 * HOUR_MS, 'forget old receipts', log, () => forgetOldReceipts(db)),
    ],
  }
}
