import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { stringify, type Options } from 'csv-stringify'
import { z } from 'zod'
import type { App } from '@storefront/http'
import type { OrdersContext } from '../context.ts'
import type { Database } from '../database.ts'
import { merchantOrder } from '../orders/order.ts'
import { filterOf, isGiven, oneOf, OrderFilterQuery } from './order-filter.ts'
import { findSource, readOnward, type OrderBatch } from './order-page.queries.ts'
import { ORDER_COLUMNS, rowsOf } from './order-rows.ts'
import type { OrderSort } from './order-sort.queries.ts'
import type { OrderSource } from './order-source.queries.ts'

/** Orders in memory at once. The largest possible order takes a megabyte. */
const BATCH = 50
/** Not sorted by attention: an order that changes during an export could be included twice or not at all. */
const SORTS = ['newest', 'oldest', 'total-desc', 'total-asc'] as const

const Query = OrderFilterQuery.extend({ sort: oneOf(SORTS).describe('`newest` if left out.') })

/**
 * A formula after one of these characters: a spreadsheet that expects another separator ignores the quotes and starts a
 * cell here.
 */
const FORMULA_INSIDE = /(?<=[;\t\r\n])(?=[=+\-@＝＋－＠])/g

/** In the format that spreadsheets read; a text that would be read as a formula gets an apostrophe before it. */
const CSV: Options = {
  header: true,
  bom: true,
  record_delimiter: 'windows',
  quoted_match: /[,;\t"\r\n]/,
  escape_formulas: true,
  cast: { string: (text) => text.replaceAll(FORMULA_INSIDE, "'") },
}

/** Orders as a CSV file, one row for each of their lines. Only one batch is in memory at a time. */
export function exportOrdersRoute(app: App, { db, log, clock }: OrdersContext): void {
  app.get('/admin/orders/export', {
    config: { access: { admin: 'orders:read' }, errors: ['invalid_status'] },
    schema: {
      summary: 'Orders as CSV, one row for each of their lines, with the filters of the list',
      description:
        'UTF-8 with a byte order mark, for spreadsheets: a cell that would be read as a formula begins with an ' +
        'apostrophe. It contains all matching orders, however many they are.',
      querystring: Query,
      produces: ['text/csv'],
      response: { 200: z.unknown() },
    },
    handler: async ({ query }, reply) => {
      const sort = isGiven(query.sort) ? query.sort : 'newest'
      const source = await findSource(db, filterOf(query), sort)
      // Connect before the response begins, so that a database failure is reported as an error.
      const first =
        source === undefined ? NOTHING : await readOnward(db, source, { sort, limit: BATCH, after: undefined })
      const csv = stringify({ ...CSV, columns: ORDER_COLUMNS })
      // Ends with the response: when the client disconnects, reading stops.
      pipeline(Readable.from(rows(db, source, sort, first)), csv).catch((error: unknown) => {
        log.info({ err: error }, 'an export of orders ended early')
      })
      const day = clock.now().toISOString().slice(0, 10)
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="orders-${day}.csv"`)
        .send(csv)
    },
  })
}

const NOTHING: OrderBatch = { orders: [], next: undefined }

async function* rows(db: Database, source: OrderSource | undefined, sort: OrderSort, first: OrderBatch) {
  let batch = first
  for (;;) {
    for (const order of batch.orders) yield* rowsOf(merchantOrder(order))
    if (source === undefined || batch.next === undefined) return
    batch = await readOnward(db, source, { sort, limit: BATCH, after: batch.next })
  }
}
