import { z } from 'zod'
import type { ActorNames } from '@storefront/audit'
import { cursorCodec, offsetOf, pageParameters, requestedPageFields, type App } from '@storefront/http'
import { snapshot } from '@storefront/postgres'
import { DRAFT_ORDER_STATUSES, DraftOrderSummary, listOf } from '@storefront/contracts'
import { CursorId, CursorTime } from '../admin/cursor.ts'
import { oneOf } from '../admin/order-filter.ts'
import type { OrdersContext } from '../context.ts'
import { shownSummary } from './draft.ts'
import { countDrafts, findDrafts, type DraftPosition } from './drafts.queries.ts'

const MAX_COUNTED = 10_000

const Query = z.object({
  status: oneOf(DRAFT_ORDER_STATUSES).describe('Only draft orders with this status.'),
  ...pageParameters({ default: 25, max: 100 }),
  cursor: z.string().max(500).optional().describe('`nextCursor` of the previous page; it replaces `page`.'),
})

const DraftOrderList = listOf(DraftOrderSummary).extend({
  ...requestedPageFields,
  total: z.int().nonnegative().describe(`Number of draft orders that match, counted up to ${MAX_COUNTED}.`),
  nextCursor: z.string().optional().describe('Send it as `cursor` to get the next page; missing on the last page.'),
})

export function listDraftsRoute(app: App, { db, names }: OrdersContext & { names: ActorNames }): void {
  app.get('/admin/draft-orders', {
    config: { access: { admin: 'orders:read' } },
    schema: {
      summary: 'Draft orders, the latest first',
      description: 'Orders that merchants have made for buyers, with what they cost when they were last saved or sent.',
      querystring: Query,
      response: { 200: DraftOrderList },
    },
    handler: async ({ query }) => {
      const { page, per_page: perPage, cursor } = query
      const status = query.status === '' ? undefined : query.status
      const after = cursor === undefined ? undefined : positionOf(codec.decode(cursor))
      const { found, total } = await snapshot(db, async (moment) => ({
        found: await findDrafts(moment, status, { limit: perPage + 1, offset: offsetOf(query, cursor), after }),
        total: await countDrafts(moment, status, MAX_COUNTED),
      }))
      const drafts = found.slice(0, perPage)
      const last = found.length > perPage ? drafts.at(-1) : undefined
      const nameOf = await names(drafts.map(({ createdBy }) => createdBy))
      return {
        items: drafts.map((draft) => shownSummary(draft, nameOf)),
        total,
        page,
        perPage,
        ...(last && { nextCursor: codec.encode([last.key, last.id]) }),
      }
    },
  })
}

const codec = cursorCodec(z.tuple([CursorTime, CursorId]))
const positionOf = ([key, id]: [string, string]): DraftPosition => ({ key, id })
