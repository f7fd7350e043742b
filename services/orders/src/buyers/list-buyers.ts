import { z } from 'zod'
import {
  badCursor,
  cursorCodec,
  offsetOf,
  optionalFilter,
  pageParameters,
  requestedPageFields,
  type App,
} from '@storefront/http'
import { snapshot } from '@storefront/postgres'
import { Buyer, listOf, OpaqueId } from '@storefront/contracts'
import { CursorId, CursorTime } from '../admin/cursor.ts'
import { MAX_TAG_LENGTH, tagKey } from '../admin/tags.ts'
import { isGiven, oneOf } from '../admin/order-filter.ts'
import type { OrdersContext } from '../context.ts'
import { applyNextBuyerChanges } from './apply-buyer-changes.ts'
import { BUYER_SORTS, countBuyers, findBuyers, type BuyerPosition, type BuyerSort } from './buyer-list.queries.ts'
import { shownBuyer } from './buyer.ts'

const MAX_COUNTED = 10_000

const emptyAsMissing = (text: string | undefined) => (text === '' ? undefined : text)

const Query = z.object({
  q: z
    .string()
    .trim()
    .max(200)
    .optional()
    .transform(emptyAsMissing)
    .describe(
      'Part of the email address or the name; of one or two letters, the beginning of the address or of a word of the name.',
    ),
  sort: oneOf(BUYER_SORTS).describe(
    '`latest`, the default: the latest order first. `orders`: most orders first. `revenue`: the highest amount first, in the ' +
      'currency of the latest order.',
  ),
  guests: z
    .enum(['', 'true', 'false'])
    .optional()
    .describe('`true`: buyers who have never ordered with an account. `false`: buyers who have.'),
  customer: optionalFilter(OpaqueId).describe(
    'Id of a customer: the buyers whose latest order with an account is theirs.',
  ),
  tag: z
    .string()
    .trim()
    .max(MAX_TAG_LENGTH)
    .optional()
    .transform(emptyAsMissing)
    .describe('A tag of the buyer, in upper or lower case.'),
  ...pageParameters({ default: 25, max: 100 }),
  cursor: z
    .string()
    .max(500)
    .optional()
    .describe('`nextCursor` of the previous page; it replaces `page` and requires the same `sort`.'),
})

const BuyerList = listOf(Buyer).extend({
  ...requestedPageFields,
  total: z.int().nonnegative().describe(`Number of buyers that match, counted up to ${MAX_COUNTED}.`),
  nextCursor: z.string().optional().describe('Send it as `cursor` to get the next page; missing on the last page.'),
})

export function listBuyersRoute(app: App, { db }: OrdersContext): void {
  app.get('/admin/buyers', {
    config: { access: { admin: 'customers:read' } },
    schema: {
      summary: 'Buyers with what they have ordered, by email address',
      description:
        'One for each email address of an order, guests included. ' +
        'Customers who have not ordered yet are in `GET /admin/customers`.',
      querystring: Query,
      response: { 200: BuyerList },
    },
    handler: async ({ query }) => {
      const { q, customer: customerId, tag, page, per_page: perPage } = query
      const sort = isGiven(query.sort) ? query.sort : 'latest'
      const guests = isGiven(query.guests) ? query.guests === 'true' : undefined
      const filter = { q, customerId, guests, tag: tag === undefined ? undefined : tagKey(tag) }
      const after = query.cursor === undefined ? undefined : decodeCursor(query.cursor, sort)
      await applyNextBuyerChanges(db)
      const { found, total } = await snapshot(db, async (moment) => ({
        found: await findBuyers(moment, filter, { sort, limit: perPage + 1, offset: offsetOf(query, after), after }),
        total: await countBuyers(moment, filter, MAX_COUNTED),
      }))
      const buyers = found.slice(0, perPage)
      const last = found.length > perPage ? buyers.at(-1) : undefined
      return {
        items: buyers.map(shownBuyer),
        total,
        page,
        perPage,
        ...(last && { nextCursor: codec.encode([sort, last.key, last.id]) }),
      }
    },
  })
}

const codec = cursorCodec(
  z.union([
    z.tuple([z.literal('latest'), CursorTime, CursorId]),
    z.tuple([z.literal('orders'), z.string().regex(/^\d{1,9}$/), CursorId]),
    z.tuple([z.literal('revenue'), z.string().regex(/^-?\d{1,18}$/), CursorId]),
  ]),
)

function decodeCursor(text: string, sort: BuyerSort): BuyerPosition {
  const [sortOfCursor, key, id] = codec.decode(text)
  if (sortOfCursor !== sort) throw badCursor(`belongs to the sort ${sortOfCursor}, not to ${sort}`)
  return { key, id }
}
