import { actorNames, replyToReadActivity } from '@storefront/audit'
import type { Registered } from '@storefront/service'
import { startRetention } from '@storefront/postgres'
import { keepResponsesPrivate, type App } from '@storefront/http'
import { ReadCartActivity } from '@storefront/contracts'
import { cartActivity } from './audit/cart-activity.ts'
import { listAuditRoute } from './audit/list-audit.ts'
import { addLineRoute } from './cart/add-line.ts'
import { applyDiscountRoute } from './cart/apply-discount.ts'
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
import { getDiscountRoute } from './discounts/get-discount.ts'
import { hashOldBuyers } from './discounts/hash-old-buyers.ts'
import { consumeDiscountsImported } from './discounts/consume-discounts-imported.ts'
import { consumeOrderCancelled } from './discounts/consume-order-cancelled.ts'
import { listDiscountsRoute } from './discounts/list-discounts.ts'
import { replyToListForTransfer } from './discounts/list-for-transfer.ts'
import { replyToReleaseDiscount } from './discounts/release-discount.ts'
import { saveDiscountRoute } from './discounts/save-discount.ts'
import { settleOverdueRedemptions } from './discounts/settle-overdue-redemptions.ts'
import { replyToQuoteCart } from './quote/quote-cart.ts'
import { RETENTION } from './retention.ts'

/** Registers every route, consumer, request handler and timer of this service. */
export function registerCart(app: App, context: CartContext): Registered {
  const { db } = context

  // A cart is private to one customer.
  keepResponsesPrivate(app)

  createCartRoute(app, context) //     POST   /carts
  getCartRoute(app, context) //        GET    /carts/:id
  addLineRoute(app, context) //        POST   /carts/:id/lines
  changeQuantityRoute(app, context) // PATCH  /carts/:id/lines/:lineId
  removeLineRoute(app, context) //     DELETE /carts/:id/lines/:lineId
  emptyCartRoute(app, context) //      DELETE /carts/:id/lines
  applyDiscountRoute(app, context) //  POST   /carts/:id/discount

  listDiscountsRoute(app, context) //                        GET    /admin/discounts
  listAuditRoute(app, { db, names: actorNames(context) }) // GET    /admin/discounts/audit
  saveDiscountRoute(app, context) //                         POST   /admin/discounts
  getDiscountRoute(app, context) //                          GET    /admin/discounts/:code
  changeDiscountRoute(app, context) //                       PATCH  /admin/discounts/:code
  deleteDiscountRoute(app, context) //                       DELETE /admin/discounts/:code

  replyToQuoteCart(context)
  replyToReleaseDiscount(context)
  replyToCheckDiscounts(context)
  replyToListForTransfer(context)
  replyToReadPersonalData(context)
  replyToReadActivity(context, ReadCartActivity, [cartActivity(db)])

  return {
    consumers: [
      consumeOrderPlaced(context),
      consumeOrderCancelled(context),
      consumeDiscountsImported(context),
      consumeCustomerReclaimed(context),
      consumeCustomerDeleted(context),
    ],
    timers: [settleOverdueRedemptions(context), hashOldBuyers(context), ...startRetention(RETENTION, context)],
  }
}
