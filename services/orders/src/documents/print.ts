// This file loads the fonts and the library.
import type { StoredOrder } from '../orders/order.ts'
import { covers } from './fonts.ts'
import { printedInvoiceOf, type Invoice } from './invoice.ts'
import { orderFormatter } from './order-formatter.ts'
import { packingSlipOf } from './packing-slip.ts'
import { printDocument } from './print-document.ts'
import type { ShopDetails } from './shop-details.ts'

/** @returns a PDF */
export function printPackingSlip(order: StoredOrder, shop: ShopDetails): Promise<Buffer> {
  return printDocument(packingSlipOf(order, shop, orderFormatter(order, shop, covers)))
}

/** @returns a PDF */
export function printInvoice(order: StoredOrder, invoice: Invoice): Promise<Buffer> {
  return printDocument(printedInvoiceOf(order, invoice, orderFormatter(order, invoice.shop, covers)))
}
