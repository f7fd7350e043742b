import { z } from 'zod'
import { snapshot, type App } from '@storefront/chassis'
import { clampedInteger, listOf, Order, OrderStatus } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import { merchantOrder } from '../orders/order.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { filterOf, oneOf, OrderFilterQuery } from './order-filter.ts'
import { COUNTED_BY_LIST, COUNTED_BY_SEARCH, findOrderPage } from './order-list.queries.ts'
import { ORDER_SORTS } from './order-sort.queries.ts'

const DEFAULT_PER_PAGE = 25
const MAX_PER_PAGE = 100

const Query = OrderFilterQuery.extend({
  sort: oneOf(ORDER_SORTS).describe('attention, the default: what a person has to look at, then the newest'),
  page: clampedInteger({ default: 1, min: 1, max: 1_000_000 }),
  per_page: clampedInteger({ default: DEFAULT_PER_PAGE, min: 1, max: MAX_PER_PAGE }),
  cursor: z
    .string()
    .max(500)
    .optional()
    .describe('Goes on behind the page that it came with, at the cost of the first'),
})

const OrderList = listOf(Order).extend({
  page: z.int().positive(),
  perPage: z.int().positive(),
  counts: z
    .record(OrderStatus, z.int().nonnegative())
    .describe(
      `Orders by status, as if \`status\` had not been asked for. Each is counted up to ${COUNTED_BY_LIST}; with \`q\`, the first ` +
        `${COUNTED_BY_SEARCH} that are found are counted`,
    ),
  nextCursor: z.string().optional(),
})

/** All orders of the shop: what a person has to look at first, then the newest. */
export function listAllOrdersRoute(app: App, { db }: OrdersContext): void {
  app.get(
    '/admin/orders',
    {
      config: { access: { admin: 'orders:read' }, errors: ['invalid_status'] },
      schema: {
        tags: ['Admin: orders'],
        summary: 'Orders: what needs attention first, then the newest',
        querystring: Query,
        response: { 200: OrderList },
      },
    },
    async ({ query }) => {
      const sort = query.sort === undefined || query.sort === '' ? 'attention' : query.sort
      const cursor = query.cursor === undefined ? undefined : decodeCursor(query.cursor, sort)
      const perPage = query.per_page
      const page = cursor?.page ?? query.page
      const wanted = { sort, limit: perPage, offset: cursor ? 0 : (page - 1) * perPage, after: cursor?.place }
      const { orders, total, counts, next } = await snapshot(db, (moment) =>
        findOrderPage(moment, filterOf(query), wanted),
      )
      return {
        items: orders.map(merchantOrder),
        total,
        page,
        perPage,
        counts,
        ...(next && { nextCursor: encodeCursor({ page: page + 1, sort, place: next }) }),
      }
    },
  )
}
