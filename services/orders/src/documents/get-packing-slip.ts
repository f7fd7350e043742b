import { z } from 'zod'
import type { App } from '@storefront/http'
import { OrderParams } from '../admin/get-admin-order.ts'
import type { OrdersContext } from '../context.ts'
import { orderNotFound } from '../errors.ts'
import { findOrder } from '../orders/orders.queries.ts'
import type { Printer } from './printer.ts'
import { PDF, sendPdf } from './send-pdf.ts'
import { readShopDetails } from './shop-details.ts'

export function getPackingSlipRoute(app: App, { db, messaging, printer }: OrdersContext & { printer: Printer }): void {
  app.get('/admin/orders/:id/packing-slip.pdf', {
    config: { access: { admin: 'orders:read' }, errors: ['not_found'] },
    schema: {
      summary: 'The packing slip of an order, as a PDF',
      description:
        'What goes into the parcel: the address, and each line with its options, SKU, quantity and a box to tick. It has ' +
        'no prices.',
      params: OrderParams,
      produces: [PDF],
      response: { 200: z.unknown() },
    },
    handler: async ({ params }, reply) => {
      const order = await findOrder(db, params.id)
      if (!order) throw orderNotFound()
      const shop = await readShopDetails(messaging, order)
      return sendPdf(reply, `packing-slip-${order.number}`, await printer.packingSlip(order, shop))
    },
  })
}
