import { sql } from 'kysely'
import type { Database } from '../database.ts'
import type { StoredOrder } from '../orders/order.ts'
import { COLUMNS } from '../orders/orders.queries.ts'
import { ofStatus } from './order-filter.ts'
import {
  countFound,
  findListed,
  findPositions,
  type Found,
  type OrderQuery,
  type PageWanted,
} from './order-list.queries.ts'
import { COUNTED_BY_SEARCH, findSearched, searchOf, searchSource } from './order-search-list.queries.ts'
import type { OrderPosition, OrderSort } from './order-sort.queries.ts'
import { listed, listedMatching, type OrderSource } from './order-source.queries.ts'

export interface OrderBatch {
  orders: StoredOrder[]
  /** Where the next batch starts; undefined after the last. */
  next: OrderPosition | undefined
}

/** A page of orders as the merchant sees them, and the counts. */
export async function findOrderPage(
  db: Database,
  query: OrderQuery,
  wanted: PageWanted,
): Promise<OrderBatch & Omit<Found, 'positions'>> {
  const search = await searchOf(db, query)
  const { positions, ...counted } =
    search === undefined ? await findListed(db, query, wanted) : await findSearched(db, query, search, wanted)
  return { ...(await readBatch(db, positions, wanted.limit)), ...counted }
}

/** The source of all wanted orders, for reading them in batches; undefined when none can match. */
export async function findSource(db: Database, query: OrderQuery, sort: OrderSort): Promise<OrderSource | undefined> {
  const shownFilter = ofStatus(query.filter, query.status)
  const search = await searchOf(db, query)
  if (shownFilter === undefined || search === 'nothing') return undefined
  if (search === undefined) return listed(shownFilter)
  const source = await searchSource(db, shownFilter, search, sort)
  return (await countFound(db, source, COUNTED_BY_SEARCH)) < COUNTED_BY_SEARCH
    ? source
    : listedMatching(shownFilter, search)
}

/** The next orders of a source. */
export async function readOnward(
  db: Database,
  source: OrderSource,
  { sort, limit, after }: Omit<PageWanted, 'offset'>,
): Promise<OrderBatch> {
  return readBatch(db, await findPositions(db, source, { sort, limit, after, offset: 0 }), limit)
}

async function readBatch(db: Database, positions: readonly OrderPosition[], limit: number): Promise<OrderBatch> {
  const shown = positions.slice(0, limit)
  const ids = shown.map((position) => position.id)
  const { rows } = await sql<StoredOrder>`
    select ${COLUMNS} from orders where id = any(${ids}::text[])
    order by array_position(${ids}::text[], id)`.execute(db)
  return { orders: rows, next: positions.length > limit ? shown.at(-1) : undefined }
}
