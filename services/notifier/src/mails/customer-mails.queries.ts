import { deleteRows } from '@storefront/postgres'
import { sql } from 'kysely'
import type { Database, Row, Tx } from '../database.ts'

/** No customer can be deleted until the transaction ends: a mail that is queued in it cannot be missed. */
export async function holdDeletions(tx: Tx): Promise<void> {
  await sql`
    select pg_advisory_xact_lock_shared(hashtext('forget customers'), hashtext(current_schema()))
    /* sent with the next */`.execute(tx)
}

/**
 * Waits for the transactions that queue mails. Comes before any other lock, because they hold theirs until their end.
 */
export async function lockDeletions(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('forget customers'), hashtext(current_schema()))`.execute(tx)
}

/**
 * The condition that the data of the recipient of a new mail `n` were not deleted after the event of the mail. A
 * deletion may arrive before an event that was published earlier. Not with `exists`: a plan for any number of mails
 * would read all customers that were ever deleted.
 */
export const IS_NOT_ERASED = sql`(n.kind = 'accountDeleted'
  or (select true from deleted_customers d where d.customer_id = n.customer_id) is null
    and (n.customer_id is not null or not exists (
      select from erased_addresses e
      where e.address_hash = sha256(convert_to(n.recipient, 'UTF8')) and e.erased_at >= n.event_at)))`

/**
 * Drops mails that were not sent yet, and deletes the personal data of all others about these customers. Only the
 * farewell is still sent: its data is deleted when it is settled (`deleteMailContents`). The ids of deleted customers
 * are kept forever, because events of their orders may come for years: such an id identifies no person.
 */
export async function deleteCustomers(tx: Tx, customerIds: string[], now: Date): Promise<void> {
  await lockDeletions(tx)
  await sql`
    insert into deleted_customers (customer_id, heard_at)
    select distinct unnest(${customerIds}::text[]), ${now}::timestamptz on conflict do nothing`.execute(tx)
  await sql`
    update mails set ${emptied(now)}
    where customer_id = any(${customerIds}::text[]) and kind <> 'accountDeleted'`.execute(tx)
}

/**
 * The same for mails to the address of a deleted account or an erased guest that have no account: about orders that a
 * guest placed with it, and about the newsletter. Mails about events after the deletion belong to another person, or to
 * a new account. Mails of other accounts to this address lose their data if they are settled; waiting ones are sent.
 * Needs `lockDeletions`.
 */
export async function emptyMailsTo(
  tx: Tx,
  gone: readonly { recipient: string; deletedAt: Date }[],
  now: Date,
): Promise<void> {
  if (gone.length === 0) return
  const recipients = gone.map(({ recipient }) => recipient)
  const times = gone.map(({ deletedAt }) => deletedAt)
  await sql`
    insert into erased_addresses as known (address_hash, erased_at)
    select sha256(convert_to(recipient, 'UTF8')), max(deleted_at)
    from unnest(${recipients}::text[], ${times}::timestamptz[]) as g (recipient, deleted_at) group by recipient
    on conflict (address_hash) do update set erased_at = greatest(known.erased_at, excluded.erased_at)`.execute(tx)
  await sql`
    with theirs as materialized (
      select m.id from mails m
      join unnest(${recipients}::text[], ${times}::timestamptz[]) as g (recipient, deleted_at)
        on m.recipient = g.recipient and m.event_at <= g.deleted_at
      where m.recipient <> '' and m.kind <> 'accountDeleted' and (m.customer_id is null or m.settled_at is not null)
      order by m.id for update of m
    )
    update mails set ${emptied(now)} from theirs where mails.id = theirs.id`.execute(tx)
}

/** Deletes the traces of erased addresses, once no event can arrive that is older than their deletion. */
export function deleteErasedAddresses(db: Database, before: Date, limit: number): Promise<number> {
  return deleteRows(db, 'erased_addresses', sql`erased_at < ${before}`, limit)
}

/** A worker that holds one of them finds its claim gone, and sends nothing. */
function emptied(now: Date) {
  return sql`data = '{}', recipient = '', answer = null,
    phase = case when phase in ('queued', 'connecting', 'withheld') then 'dropped' else phase end,
    settled_at = case when phase in ('queued', 'connecting') then ${now}::timestamptz else settled_at end,
    leased_by = case when phase = 'connecting' then null else leased_by end,
    lease_until = case when phase = 'connecting' then null else lease_until end`
}

export type CustomerMail = Pick<Row<'mails'>, 'seq' | 'kind' | 'event_at' | 'phase' | 'recipient'>

/** Mails to a customer, oldest first. */
export async function listCustomerMails(
  db: Database,
  page: { customerId: string; afterSeq: number; limit: number },
): Promise<CustomerMail[]> {
  return db
    .selectFrom('mails')
    .select(['seq', 'kind', 'event_at', 'phase', 'recipient'])
    .where('customer_id', '=', page.customerId)
    .where('seq', '>', page.afterSeq)
    .orderBy('seq')
    .limit(page.limit)
    .execute()
}
