import { z } from 'zod'
import type { App } from '@storefront/http'
import { OrderParams } from '../admin/get-admin-order.ts'
import type { OrdersContext } from '../context.ts'
import { orderNotFound } from '../errors.ts'
import { findOrder } from '../orders/orders.queries.ts'
import { invoiceNumber } from './invoice.ts'
import { issueInvoice } from './issue-invoice.ts'
import type { Printer } from './printer.ts'
import { PDF, sendPdf } from './send-pdf.ts'

export function getInvoiceRoute(app: App, context: OrdersContext & { printer: Printer }): void {
  app.get('/admin/orders/:id/invoice.pdf', {
    config: { access: { admin: 'orders:read' }, errors: ['not_found', 'payment_not_captured'] },
    schema: {
      summary: 'The invoice of a paid order, as a PDF',
      description:
        'The first request gives the invoice its number, the next one of the shop, and its date and seller: these stay. ' +
        'The refunds are those until now. An order that was never paid has no invoice: 402 `payment_not_captured`.',
      params: OrderParams,
      produces: [PDF],
      response: { 200: z.unknown() },
    },
    handler: async ({ params, actor }, reply) => {
      const order = await findOrder(context.db, params.id)
      if (!order) throw orderNotFound()
      const invoice = await issueInvoice(context, order, actor)
      return sendPdf(reply, `invoice-${invoiceNumber(invoice.number)}`, await context.printer.invoice(order, invoice))
    },
  })
}
