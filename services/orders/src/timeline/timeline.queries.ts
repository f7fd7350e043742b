import type { ActivityFilter } from '@storefront/audit'
import { isOneOf } from '@storefront/postgres'
import { sql, type RawBuilder } from 'kysely'
import type { Database, Row, Tx } from '../database.ts'
import type { StepKind } from './label.ts'

export interface Step {
  orderId: string
  kind: StepKind
  /** Id of the admin user or of the secret key; missing for automatic entries. */
  actor?: string | undefined
  detail?: Record<string, unknown>
}

/** Records timeline entries of orders, in the transaction of the change. */
export async function recordSteps(tx: Tx, steps: readonly Step[], at: Date): Promise<void> {
  if (steps.length === 0) return
  await sql`
    insert into order_timeline (order_id, at, kind, actor, detail)
    select order_id, ${at}::timestamptz, kind, actor, detail::jsonb from unnest(
      ${steps.map((step) => step.orderId)}::text[], ${steps.map((step) => step.kind)}::text[],
      ${steps.map((step) => step.actor ?? null)}::text[],
      ${steps.map((step) => JSON.stringify(step.detail ?? {}))}::text[]
    ) with ordinality as t (order_id, kind, actor, detail, place) order by place /* sent with the next */`.execute(tx)
}

/** More than any order needs: a caller who causes more entries must not make the response grow without limit. */
export const MAX_STEPS = 1000

export type RecordedStep = Pick<Row<'order_timeline'>, 'at' | 'kind' | 'actor' | 'detail'>

/**
 * Oldest first, notes with their texts. A note that was deleted has none, and is left out. If there are too many, only
 * the notes, of which an order has few, and the latest others are returned.
 */
export async function findSteps(db: Database, orderId: string): Promise<RecordedStep[]> {
  const { rows } = await sql<RecordedStep>`
    select at, kind, actor, detail from (
      select t.id, t.at, t.kind, t.actor,
        case when n.id is null then t.detail else t.detail || jsonb_build_object('text', n.text) end as detail
      from order_timeline t left join order_notes n
        on n.order_id = t.order_id and t.kind = 'note' and n.id = t.detail->>'id'
      where t.order_id = ${orderId} and (t.kind <> 'note' or n.id is not null)
      order by t.kind = 'note' desc, t.id desc limit ${MAX_STEPS}) shown
    order by id`.execute(db)
  return rows
}

/** An entry with its order, for a list of entries of many orders. */
interface StepByAdmin extends Omit<RecordedStep, 'actor'> {
  number: number
  actor: string
  orderId: string
  orderNumber: string
  locale: string
}

/** The latest first. */
export async function findStepsByAdmins(
  db: Database,
  filter: ActivityFilter,
  { behind, limit }: { behind: { at: Date; number: number } | undefined; limit: number },
): Promise<StepByAdmin[]> {
  const place = behind && sql`and (at, id) < (${behind.at}::timestamptz, ${behind.number}::bigint)`
  const { rows } = await sql<StepByAdmin>`
    select t.id as number, t.at, t.kind, t.actor, t.detail, o.id as "orderId", o.number as "orderNumber",
      o.document->>'locale' as locale
    from (
      select id, at, kind, actor, detail, order_id from order_timeline where ${stepsByAdmins(filter)} ${place ?? sql``}
      order by at desc, id desc limit ${limit}
    ) t join orders o on o.id = t.order_id
    order by t.at desc, t.id desc /* replan */`.execute(db)
  return rows
}

/** Counts these entries up to `most`. */
export async function countStepsByAdmins(db: Database, filter: ActivityFilter, most: number): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (
      select 1 from order_timeline where ${stepsByAdmins(filter)} limit ${most}) counted /* replan */`.execute(db)
  return rows[0]?.total ?? 0
}

function stepsByAdmins({ actorIds, from, to }: ActivityFilter): RawBuilder<unknown> {
  // The actor of `drafted` made the draft, and the buyer the order.
  const conditions = [sql`actor is not null`, sql`kind <> 'drafted'`]
  if (actorIds) conditions.push(isOneOf(sql`actor`, actorIds))
  if (from) conditions.push(sql`at >= ${from}::timestamptz`)
  if (to) conditions.push(sql`at < ${to}::timestamptz`)
  return sql.join(conditions, sql` and `)
}
