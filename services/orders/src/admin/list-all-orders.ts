import { z } from 'zod'
import { snapshot, type App } from '@storefront/chassis'
import { clampedInteger, listOf, Order, OrderStatus } from '@storefront/contracts'
import type { OrdersContext } from '../context.ts'
import { invalidStatus } from '../errors.ts'
import { merchantOrder } from '../orders/order.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { findOrderPage, type OrderFilter } from './order-list.queries.ts'

const DEFAULT_PER_PAGE = 25
const MAX_PER_PAGE = 100
const DAY_MS = 86_400_000

const Moment = z.union([z.iso.date(), z.iso.datetime({ offset: true })])

const Query = z.object({
  status: z.string().max(50).optional(),
  q: z
    .string()
    .trim()
    .max(200)
    .optional()
    .describe(
      'Number, id, e-mail address, name, products, variant ids, discount code, payment reference or tracking code: each word, ' +
        'or the beginning of one',
    ),
  attention: z.enum(['1', 'true', '0', 'false', '']).optional().describe('1: only what a person has to look at'),
  from: Moment.optional().describe('Placed at this time or later; a day begins at midnight UTC'),
  to: Moment.optional().describe('Placed before this time, or until the end of this day'),
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
      const cursor = query.cursor === undefined ? undefined : decodeCursor(query.cursor)
      const perPage = query.per_page
      const page = cursor?.page ?? query.page
      const place = { limit: perPage, offset: cursor ? 0 : (page - 1) * perPage, behind: cursor?.place }
      const found = await snapshot(db, (moment) => findOrderPage(moment, filterOf(query), place))
      const nextCursor = found.next && encodeCursor({ page: page + 1, place: found.next })
      return {
        items: found.orders.map(merchantOrder),
        total: found.total,
        page,
        perPage,
        ...(nextCursor !== undefined && { nextCursor }),
      }
    },
  )
}

/** @throws Refusal `invalid_status` */
function filterOf({ status, q, attention, from, to }: z.output<typeof Query>): OrderFilter {
  const parsed = OrderStatus.optional().safeParse(status === '' ? undefined : status)
  if (!parsed.success) throw invalidStatus(OrderStatus.options)
  return {
    status: parsed.data,
    q: q === '' ? undefined : q,
    isFlagged: attention === '1' || attention === 'true',
    from: from === undefined ? undefined : new Date(from),
    before: to === undefined ? undefined : endOf(to),
  }
}

function endOf(text: string): Date {
  const at = new Date(text)
  return z.iso.date().safeParse(text).success ? new Date(at.getTime() + DAY_MS) : at
}
