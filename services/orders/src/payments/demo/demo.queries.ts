import { sql } from 'kysely'
import { deleteRows } from '@storefront/postgres'
import type { Database, DemoSessionStatus, Row, SessionStatus, Tx } from '../../database.ts'
import type { RefundToMake, SessionToOpen } from '../provider.ts'

export type DemoSession = Row<'demo_sessions'>

/** Statuses in which the buyer can still decide. */
export const UNDECIDED = ['open', 'declined'] as const satisfies readonly DemoSessionStatus[]

/** Opens a session with this id, unless the shop already has one that it requested with the same id. */
export async function insertDemoSession(db: Database, id: string, session: SessionToOpen, at: Date): Promise<void> {
  await db
    .insertInto('demo_sessions')
    .values({
      id,
      session_id: session.id,
      order_id: session.orderId,
      total_minor: session.total.amount,
      currency: session.total.currency,
      email: session.email,
      description: session.description,
      // A merchant may not have named the shop yet, and a heading needs a text.
      store_name: session.storeName.trim() || 'the shop',
      success_url: session.successUrl ?? null,
      cancel_url: session.cancelUrl ?? null,
      created_at: at,
      expires_at: session.expiresAt,
      payment_reference: null,
    })
    .onConflict((conflict) => conflict.column('session_id').doNothing())
    .execute()
}

export async function findDemoSession(db: Database | Tx, id: string): Promise<DemoSession | undefined> {
  return db.selectFrom('demo_sessions').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Finds a session by the shop's id for it. */
export async function findDemoSessionOf(db: Database, sessionId: string): Promise<DemoSession | undefined> {
  return db.selectFrom('demo_sessions').selectAll().where('session_id', '=', sessionId).executeTakeFirst()
}

interface DemoDecision {
  status: 'paid' | 'declined' | 'cancelled'
  paymentReference: string | null
}

/** @returns the session as it is now; undefined when it was decided before, is closed, or has expired */
export async function decideDemoSession(
  tx: Tx,
  id: string,
  { status, paymentReference }: DemoDecision,
  at: Date,
): Promise<DemoSession | undefined> {
  return (
    tx
      .updateTable('demo_sessions')
      .set({ status, payment_reference: paymentReference })
      .where('id', '=', id)
      // A second decline is not an event: otherwise a buyer could fill the table of webhooks.
      .where('status', 'in', UNDECIDED)
      .where('status', '!=', status)
      .where('expires_at', '>', at)
      .returningAll()
      .executeTakeFirst()
  )
}

/** Closes a session that is not paid. */
export async function closeDemoSession(db: Database, id: string): Promise<void> {
  await db
    .updateTable('demo_sessions')
    .set({ status: 'closed' })
    .where('id', '=', id)
    .where('status', 'in', UNDECIDED)
    .execute()
}

/** @returns how many were deleted, at most `limit` */
export function deleteDemoSessions(db: Database, expiredBefore: Date, limit: number): Promise<number> {
  return deleteRows(db, 'demo_sessions', sql`expires_at < ${expiredBefore} order by expires_at`, limit)
}

/** The shop's own state of a checkout that waits here; undefined when the shop has none. */
export async function findWaitingCheckout(
  db: Database,
  sessionId: string,
): Promise<{ status: SessionStatus; locale: string } | undefined> {
  return db
    .selectFrom('payment_sessions')
    .select(['status', sql<string>`coalesce(document ->> 'locale', 'en-US')`.as('locale')])
    .where('id', '=', sessionId)
    .executeTakeFirst()
}

export type DemoRefund = Pick<
  Row<'demo_refunds'>,
  'id' | 'reference' | 'payment_reference' | 'amount_minor' | 'currency'
>

/** Records a refund once. @returns what is stored under its id, by this call or an earlier one */
export async function noteDemoRefund(
  db: Database,
  reference: string,
  refund: RefundToMake,
  at: Date,
): Promise<DemoRefund | undefined> {
  await db
    .insertInto('demo_refunds')
    .values({
      id: refund.id,
      reference,
      payment_reference: refund.paymentReference,
      amount_minor: refund.amount.amount,
      currency: refund.amount.currency,
      created_at: at,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  return findDemoRefund(db, refund.id)
}

export async function findDemoRefund(db: Database, id: string): Promise<DemoRefund | undefined> {
  return db
    .selectFrom('demo_refunds')
    .select(['id', 'reference', 'payment_reference', 'amount_minor', 'currency'])
    .where('id', '=', id)
    .executeTakeFirst()
}
