import { sql } from 'kysely'
import { deleteRows } from '@storefront/postgres'
import { mailboxOf, type AlertKind } from '@storefront/contracts'
import type { Database, Row, Tx } from '../database.ts'
import type { AlertCounts, KnownAlert } from './alert.ts'
import type { AlertRequest } from './alert-requests.queries.ts'

/**
 * Serializes the processing of these mailboxes until the end of the transaction. Take this lock before those of their
 * requests and alerts.
 */
export async function lockMailboxes(tx: Tx, mailboxes: readonly string[]): Promise<void> {
  // In a fixed order, so that two transactions cannot deadlock.
  for (const mailbox of [...new Set(mailboxes)].toSorted()) {
    await sql`select pg_advisory_xact_lock(hashtext('alerts'), hashtext(${mailbox}))`.execute(tx)
  }
}

/** Locks a mailbox as `lockMailboxes` does. @returns false when another transaction has it */
export async function tryLockMailbox(tx: Tx, mailbox: string): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('alerts'), hashtext(${mailbox})) as locked`.execute(tx)
  return rows[0]?.locked === true
}

export async function countAlerts(tx: Tx, mailbox: string): Promise<AlertCounts> {
  const { rows } = await sql<AlertCounts>`
    select count(*)::integer as open, count(*) filter (where confirmed_at is null)::integer as unconfirmed
    from alerts where mailbox = ${mailbox} and done_at is null`.execute(tx)
  return rows[0] ?? { open: 0, unconfirmed: 0 }
}

/** The same alert of the same address, unless it has ended. */
export async function findOpenAlert(tx: Tx, request: AlertRequest): Promise<KnownAlert | undefined> {
  const { kind, productId, variantId, email } = request
  const { rows } = await sql<KnownAlert>`
    select id, confirmed_at, confirmation_sent_at, confirmations from alerts
    where email = ${email} and product_id = ${productId} and kind = ${kind}
      and coalesce(variant_id, '') = coalesce(${variantId}, '') and done_at is null`.execute(tx)
  return rows[0]
}

export async function insertAlert(tx: Tx, id: string, request: AlertRequest, now: Date): Promise<void> {
  const { kind, productId, variantId, price, requestedAt } = request
  const isAboutPrice = variantId === null
  await tx
    .insertInto('alerts')
    .values({
      id,
      kind,
      product_id: productId,
      variant_id: variantId,
      email: request.email,
      mailbox: mailboxOf(request.email),
      price_minor: isAboutPrice ? price.amount : null,
      currency: isAboutPrice ? price.currency : null,
      created_at: requestedAt,
      confirmation_sent_at: now,
    })
    .execute()
}

/** Records that another mail requests the confirmation. An alert about a price gets the price of the new request. */
export async function renewAlert(tx: Tx, id: string, { variantId, price }: AlertRequest, now: Date): Promise<void> {
  await tx
    .updateTable('alerts')
    .set((alert) => ({ confirmation_sent_at: now, confirmations: alert('confirmations', '+', 1) }))
    .$if(variantId === null, (update) => update.set({ price_minor: price.amount, currency: price.currency }))
    .where('id', '=', id)
    .execute()
}

interface ConfirmedAlert {
  kind: AlertKind
  productId: string
  slug: string
  title: string
  published: boolean
}

/**
 * Only the first confirmation has an effect.
 * @param sentAfter an alert whose mail is older can no longer be confirmed
 */
export async function confirmAlert(
  tx: Tx,
  id: string,
  { now, sentAfter }: { now: Date; sentAfter: Date },
): Promise<ConfirmedAlert | undefined> {
  const { rows } = await sql<ConfirmedAlert>`
    update alerts a set confirmed_at = coalesce(a.confirmed_at, ${now}::timestamptz)
    from products p
    where a.id = ${id} and p.id = a.product_id and a.done_at is null
      and (a.confirmed_at is not null or a.confirmation_sent_at > ${sentAfter}::timestamptz)
    returning a.kind, a.product_id as "productId", p.slug, p.title, p.published`.execute(tx)
  return rows[0]
}

type LinkedAlert = Pick<Row<'alerts'>, 'confirmed_at' | 'confirmation_sent_at'>

/** An alert about a published product. */
export async function findLinkedAlert(db: Database, id: string): Promise<LinkedAlert | undefined> {
  const { rows } = await sql<LinkedAlert>`
    select a.confirmed_at, a.confirmation_sent_at from alerts a join products p on p.id = a.product_id
    where a.id = ${id} and p.published`.execute(db)
  return rows[0]
}

export async function deleteAlert(db: Database, id: string): Promise<void> {
  await db.deleteFrom('alerts').where('id', '=', id).execute()
}

export async function deleteAlertsOf(tx: Tx, emails: readonly string[]): Promise<void> {
  const mailboxes = emails.map(mailboxOf)
  await sql`
    delete from alerts where id = any(array(
      select id from alerts where mailbox = any(${mailboxes}::text[]) and email = any(${[...emails]}::text[])
      order by id for update))`.execute(tx)
}

export interface ExportedAlert {
  id: string
  kind: AlertKind
  slug: string
  variantId: string | null
  createdAt: Date
  confirmedAt: Date | null
  doneAt: Date | null
}

/** The alerts of an address, after this id. */
export async function findAlertsAfter(
  db: Database,
  email: string,
  { after, limit }: { after: string; limit: number },
): Promise<ExportedAlert[]> {
  const { rows } = await sql<ExportedAlert>`
    select a.id, a.kind, p.slug, a.variant_id as "variantId", a.created_at as "createdAt",
      a.confirmed_at as "confirmedAt", a.done_at as "doneAt"
    from alerts a join products p on p.id = a.product_id
    where a.mailbox = ${mailboxOf(email)} and a.email = ${email} and a.id > ${after}
    order by a.id limit ${limit}`.execute(db)
  return rows
}

/** @returns how many were deleted, at most `limit` */
export function deleteUnconfirmedAlerts(db: Database, sentBefore: Date, limit: number): Promise<number> {
  return deleteRows(db, 'alerts', sql`confirmed_at is null and confirmation_sent_at < ${sentBefore}`, limit)
}

/** @returns how many were deleted, at most `limit` */
export function deleteDoneAlerts(db: Database, doneBefore: Date, limit: number): Promise<number> {
  return deleteRows(db, 'alerts', sql`done_at < ${doneBefore}`, limit)
}

/** Reads the whole table. @returns how many were deleted, at most `limit` */
export function deleteOldAlerts(db: Database, createdBefore: Date, limit: number): Promise<number> {
  return deleteRows(db, 'alerts', sql`created_at < ${createdBefore}`, limit)
}

export async function readAlertKey(db: Database): Promise<Buffer> {
  const { secret } = await db.selectFrom('alert_link_key').select('secret').executeTakeFirstOrThrow()
  return Buffer.from(secret)
}
