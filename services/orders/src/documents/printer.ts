import { limitConcurrency } from '@storefront/service'
import { tooManyDocuments } from '../errors.ts'
import type { StoredOrder } from '../orders/order.ts'
import type { Invoice } from './invoice.ts'
import type { ShopDetails } from './shop-details.ts'

/** The maximum number of documents that wait. Printing one takes about ten milliseconds. */
const MAX_WAITING = 100

/** Makes documents as PDF. */
export interface Printer {
  packingSlip(order: StoredOrder, shop: ShopDetails): Promise<Buffer>
  invoice(order: StoredOrder, invoice: Invoice): Promise<Buffer>
}

/** Prints one document at a time: several at once would delay other requests, and each takes megabytes. */
export function createPrinter(): Printer {
  const limited = limitConcurrency({ atOnce: 1, waiting: MAX_WAITING, error: tooManyDocuments })
  // Fonts and library take memory: they are loaded for the first document.
  const load = () => import('./print.ts')
  return {
    packingSlip: (order, shop) => limited(async () => (await load()).printPackingSlip(order, shop)),
    invoice: (order, invoice) => limited(async () => (await load()).printInvoice(order, invoice)),
  }
}
