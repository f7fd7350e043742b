import { sql, type RawBuilder } from 'kysely'

/** An order's position in a list; the time as text with microseconds, which a Date would lose. */
export interface OrderPosition {
  flagged: boolean
  placedAt: string
  id: string
  totalMinor: number
}

export const ORDER_SORTS = ['attention', 'newest', 'oldest', 'total-desc', 'total-asc'] as const
export type OrderSort = (typeof ORDER_SORTS)[number]

type Column = 'flagged' | 'placed_at' | 'id' | 'total_minor'

/**
 * All columns of a sort have the same direction, so that one index serves it and a position in it is one comparison.
 */
const SORTS: Record<OrderSort, { columns: readonly Column[]; direction: 'asc' | 'desc' }> = {
  attention: { columns: ['flagged', 'placed_at', 'id'], direction: 'desc' },
  newest: { columns: ['placed_at', 'id'], direction: 'desc' },
  oldest: { columns: ['placed_at', 'id'], direction: 'asc' },
  'total-desc': { columns: ['total_minor', 'placed_at', 'id'], direction: 'desc' },
  'total-asc': { columns: ['total_minor', 'placed_at', 'id'], direction: 'asc' },
}

const VALUES: Record<Column, (position: OrderPosition) => RawBuilder<unknown>> = {
  flagged: ({ flagged }) => sql`${flagged}::boolean`,
  placed_at: ({ placedAt }) => sql`${placedAt}::timestamptz`,
  id: ({ id }) => sql`${id}::text`,
  total_minor: ({ totalMinor }) => sql`${totalMinor}::bigint`,
}

/** The `order by` of a sort, or its reverse to read from the end of the list. */
export function orderBy(sort: OrderSort, from: 'start' | 'end' = 'start'): RawBuilder<unknown> {
  const { columns, direction } = SORTS[sort]
  const isDescending = (direction === 'desc') === (from === 'start')
  return sql.join(columns.map((column) => sql`${sql.ref(column)} ${sql.raw(isDescending ? 'desc' : 'asc')}`))
}

/** The condition that a row comes after this position. */
export function isAfter(sort: OrderSort, position: OrderPosition): RawBuilder<unknown> {
  const { columns, direction } = SORTS[sort]
  const row = sql.join(columns.map((column) => sql.ref(column)))
  const bounds = sql.join(columns.map((column) => VALUES[column](position)))
  return sql`(${row}) ${sql.raw(direction === 'desc' ? '<' : '>')} (${bounds})`
}

/** The direction of a sort by time, and whether orders that need attention come first; undefined for any other sort. */
export function timeSortOf(sort: OrderSort): { byAttention: boolean; direction: 'asc' | 'desc' } | undefined {
  const { columns, direction } = SORTS[sort]
  return columns.includes('total_minor') ? undefined : { byAttention: columns.includes('flagged'), direction }
}

/** Whether positions of this sort need the totals of the orders. */
export function needsTotal(sort: OrderSort): boolean {
  return SORTS[sort].columns.includes('total_minor')
}
