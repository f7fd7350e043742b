import { sql } from 'kysely'
import type { Database, Tx } from '../database.ts'

/** What can happen to an order. */
export type StepKind =
  | 'placed'
  | 'payment_authorized'
  | 'payment_captured'
  | 'payment_failed'
  /** A second payment for the same order, which goes back. */
  | 'payment_duplicate'
  | 'paid'
  | 'fulfilled'
  | 'delivered'
  | 'cancelled'
  | 'tracking'
  | 'restocked'
  | 'refund_requested'
  | 'refund_succeeded'
  | 'refund_failed'
  | 'attention'
  | 'attention_cleared'

export interface Step {
  orderId: string
  kind: StepKind
  /** Id of the admin user or of the secret key; left out when it happened by itself. */
  actor?: string | undefined
  detail?: Record<string, unknown>
}

/** Writes down what happened to orders, in the transaction in which it happened. */
export async function recordSteps(tx: Tx, steps: readonly Step[], at: Date): Promise<void> {
  if (steps.length === 0) return
  await sql`
    insert into order_timeline (order_id, at, kind, actor, detail)
    select order_id, ${at}::timestamptz, kind, actor, detail::jsonb from unnest(
      ${steps.map((step) => step.orderId)}::text[], ${steps.map((step) => step.kind)}::text[],
      ${steps.map((step) => step.actor ?? null)}::text[],
      ${steps.map((step) => JSON.stringify(step.detail ?? {}))}::text[]
    ) with ordinality as t (order_id, kind, actor, detail, place) order by place`.execute(tx)
}

/** More than this happens to no order; whoever makes it happen must not make the answer grow. */
const MOST_STEPS = 1000

export interface RecordedStep {
  at: Date
  kind: StepKind
  actor: string | null
  detail: Record<string, unknown>
}

/** Oldest first. */
export async function findSteps(db: Database, orderId: string): Promise<RecordedStep[]> {
  const { rows } = await sql<RecordedStep>`
    select at, kind, actor, detail from order_timeline where order_id = ${orderId} order by id
    limit ${MOST_STEPS}`.execute(db)
  return rows
}
