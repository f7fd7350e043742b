import { actorNames, replyToReadActivity } from '@storefront/audit'
import { every, type Timer } from '@storefront/service'
import { deleteOldReceipts, type Consumer } from '@storefront/messaging'
import { PRIVATE_CACHE_CONTROL, type App } from '@storefront/http'
import { ReadCartActivity } from '@storefront/contracts'
import { addLineRoute } from './cart/add-line.ts'
import { applyDiscountRoute } from './cart/apply-discount.ts'
import { deleteExpired } from './cart/carts.queries.ts'
import { changeQuantityRoute } from './cart/change-quantity.ts'
import { createCartRoute } from './cart/create-cart.ts'
import { emptyCartRoute } from './cart/empty-cart.ts'
import { getCartRoute } from './cart/get-cart.ts'
import { consumeOrderPlaced } from './cart/consume-order-placed.ts'
import { removeLineRoute } from './cart/remove-line.ts'
import { consumeCustomerDeleted } from './customers/consume-customer-deleted.ts'
import { consumeCustomerReclaimed } from './customers/consume-customer-reclaimed.ts'
import { replyToReadPersonalData } from './customers/read-personal-data.ts'
import type { CartContext } from './context.ts'
import { changeDiscountRoute } from './discounts/change-discount.ts'
import { replyToCheckDiscounts } from './discounts/check-discounts.ts'
import { deleteDiscountRoute } from './discounts/delete-discount.ts'
import { discountActivity } from './discounts/discount-activity.ts'
import { getDiscountRoute } from './discounts/get-discount.ts'
import { hashOldBuyers } from './discounts/hash-old-buyers.ts'
import { consumeDiscountsImported } from './discounts/consume-discounts-imported.ts'
import { consumeOrderCancelled } from './discounts/consume-order-cancelled.ts'
import { listDiscountAuditRoute } from './discounts/list-discount-audit.ts'
import { listDiscountsRoute } from './discounts/list-discounts.ts'
import { deleteOldImports } from './discounts/imports.queries.ts'
import { replyToListDiscounts } from './discounts/list-for-transfer.ts'
import { replyToReleaseDiscount } from './discounts/release-discount.ts'
import { saveDiscountRoute } from './discounts/save-discount.ts'
import { settleOverdueRedemptions } from './discounts/settle-overdue-redemptions.ts'
import { deleteOldRedemptions } from './discounts/redemptions.queries.ts'
import { replyToQuoteCart } from './quote/quote-cart.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const EXPIRED_BATCH = 1000
const SETTLE_MS = 1000
/** Longer than the stream keeps an event that may refer to a redemption or an import. */
const RECORD_MEMORY_DAYS = 30

/** Registers every route, consumer, request handler and timer of this service. */
export function registerCart(app: App, context: CartContext): { timers: Timer[]; consumers: Consumer[] } {
  const { db, log, clock } = context

  // A cart is private to one customer: no cache may store it.
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('cache-control', PRIVATE_CACHE_CONTROL)
    done()
  })

  createCartRoute(app, context)
  getCartRoute(app, context)
  addLineRoute(app, context)
  changeQuantityRoute(app, context)
  removeLineRoute(app, context)
  emptyCartRoute(app, context)
  applyDiscountRoute(app, context)
  listDiscountsRoute(app, context)
  listDiscountAuditRoute(app, { db, names: actorNames(context) })
  saveDiscountRoute(app, context)
  getDiscountRoute(app, context)
  changeDiscountRoute(app, context)
  deleteDiscountRoute(app, context)

  replyToQuoteCart(context)
  replyToReleaseDiscount(context)
  replyToCheckDiscounts(context)
  replyToListDiscounts(context)
  replyToReadPersonalData(context)
  replyToReadActivity(context, ReadCartActivity, [discountActivity(db)])

  return {
    consumers: [
      consumeOrderPlaced(context),
      consumeOrderCancelled(context),
      consumeDiscountsImported(context),
      consumeCustomerReclaimed(context),
      consumeCustomerDeleted(context),
    ],
    timers: [
      every(MINUTE_MS, 'delete expired carts', log, async () => {
        while ((await deleteExpired(db, clock.now(), EXPIRED_BATCH)) === EXPIRED_BATCH);
      }),
      every(SETTLE_MS, 'settle overdue discount redemptions', log, () => settleOverdueRedemptions(context)),
      every(5 * MINUTE_MS, 'hash the buyers of old redemptions', log, () => hashOldBuyers(context)),
      every(DAY_MS, 'delete old discount redemptions', log, async () => {
        const before = new Date(clock.now().getTime() - RECORD_MEMORY_DAYS * DAY_MS)
        while ((await deleteOldRedemptions(db, before, EXPIRED_BATCH)) === EXPIRED_BATCH);
      }),
      every(DAY_MS, 'delete old discount imports', log, () =>
        deleteOldImports(db, new Date(clock.now().getTime() - RECORD_MEMORY_DAYS * DAY_MS)),
      ),
      every(DAY_MS, 'delete old receipts', log, () => deleteOldReceipts(db)),
    ],
  }
}
