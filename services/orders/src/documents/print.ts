// This file loads the fonts and the library.
import type { StoredOrder } from '../orders/order.ts'
import { covers } from './fonts.ts'
import { printedInvoiceOf, type Invoice } from './invoice.ts'
import { packingSlipOf } from './packing-slip.ts'
import { printDocument } from './print-document.ts'
import type { ShopDetails } from './shop-details.ts'
import { wordsOfOrder } from './words-of-order.ts'

/** @returns a PDF */
export function printPackingSlip(order: StoredOrder, shop: ShopDetails): Promise<Buffer> {
  return printDocument(packingSlipOf(order, shop, wordsOfOrder(order, shop, covers)))
}

/** @returns a PDF */
export function printInvoice(order: StoredOrder, invoice: Invoice): Promise<Buffer> {
  return printDocument(printedInvoiceOf(order, invoice, wordsOfOrder(order, invoice.shop, covers)))
}
