import { z } from 'zod'
import { snapshot } from '@storefront/postgres'
import { offsetOf, type App } from '@storefront/http'
import { listOf, Order, OrderStatus } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import { merchantOrder } from '../orders/order.ts'
import { OrderPageFields, orderPageQuery } from '../orders/order-page.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { filterOf, isGiven, oneOf, OrderFilterQuery } from './order-filter.ts'
import { COUNTED_BY_LIST } from './order-list.queries.ts'
import { findOrderPage } from './order-page.queries.ts'
import { COUNTED_BY_SEARCH } from './order-search-list.queries.ts'
import { ORDER_SORTS } from './order-sort.queries.ts'

const DEFAULT_PER_PAGE = 25
const MAX_PER_PAGE = 100

const Query = OrderFilterQuery.extend({
  sort: oneOf(ORDER_SORTS).describe('`attention`, the default: orders that need a person first, then the newest.'),
  ...orderPageQuery({ default: DEFAULT_PER_PAGE, max: MAX_PER_PAGE }).shape,
  cursor: z
    .string()
    .max(500)
    .optional()
    .describe('`nextCursor` of the previous page; it replaces `page` and requires the same `sort`.'),
})

const OrderList = listOf(Order).extend({
  ...OrderPageFields.shape,
  counts: z
    .record(OrderStatus, z.int().nonnegative())
    .describe(
      'Orders by status, ignoring the `status` filter. With `q`, only the first ' +
        `${COUNTED_BY_SEARCH} matches are counted; with \`customer\` or \`tag\`, each status up to ${COUNTED_BY_LIST}.`,
    ),
  nextCursor: z.string().optional().describe('Send it as `cursor` to get the next page; missing on the last page.'),
})

/** All orders of the shop: those that need a person first, then the newest. */
export function listAllOrdersRoute(app: App, { db }: OrdersContext): void {
  app.get('/admin/orders', {
    config: { access: { admin: 'orders:read' }, errors: ['invalid_status'] },
    schema: {
      summary: 'Orders: what needs attention first, then the newest',
      description:
        'An order must match all filters; an empty filter is ignored. A page by `cursor` costs as little as the ' +
        'first, however far it is, while a high `page` takes longer.',
      querystring: Query,
      response: { 200: OrderList },
    },
    handler: async ({ query }) => {
      const sort = isGiven(query.sort) ? query.sort : 'attention'
      const cursor = query.cursor === undefined ? undefined : decodeCursor(query.cursor, sort)
      const perPage = query.per_page
      const page = cursor?.page ?? query.page
      const wanted = { sort, limit: perPage, offset: offsetOf(query, cursor), after: cursor?.position }
      const { orders, total, counts, next } = await snapshot(db, (moment) =>
        findOrderPage(moment, filterOf(query), wanted),
      )
      return {
        items: orders.map(merchantOrder),
        total,
        page,
        perPage,
        counts,
        ...(next && { nextCursor: encodeCursor({ page: page + 1, sort, position: next }) }),
      }
    },
  })
}
