import { actorIdOf } from '@storefront/audit'
import { transaction } from '@storefront/postgres'
import type { Actor } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import { noInvoiceBeforePayment, orderNotFound } from '../errors.ts'
import type { StoredOrder } from '../orders/order.ts'
import { lockOrder } from '../orders/orders.queries.ts'
import { hasMoney } from '../payments/confirm-payments.ts'
import { recordSteps } from '../timeline/timeline.queries.ts'
import { invoiceNumber, type Invoice } from './invoice.ts'
import { findInvoice, insertInvoice, takeInvoiceNumber } from './invoices.queries.ts'
import { readShopDetails } from './shop-details.ts'

/**
 * The invoice of a paid order. The first request for it gives it its number, its date and its seller.
 * @throws HttpError `payment_not_captured` for an order that was never paid
 */
export async function issueInvoice(
  { db, messaging, clock }: OrdersContext,
  order: StoredOrder,
  actor: Actor,
): Promise<Invoice> {
  const known = await findInvoice(db, order.id)
  if (known) return known
  if (!hasMoney(order)) throw noInvoiceBeforePayment()
  const shop = await readShopDetails(messaging, order)
  return transaction(db, async (tx) => {
    const locked = await lockOrder(tx, order.id)
    if (!locked) throw orderNotFound()
    // Another request may have issued it.
    const issued = await findInvoice(tx, order.id)
    if (issued) return issued
    const invoice = { number: await takeInvoiceNumber(tx), issuedAt: clock.now(), shop }
    await insertInvoice(tx, order.id, invoice)
    const detail = { number: invoiceNumber(invoice.number) }
    await recordSteps(tx, [{ orderId: order.id, kind: 'invoice', actor: actorIdOf(actor), detail }], invoice.issuedAt)
    return invoice
  })
}
