import { anyUnlocked, ASYNC_COMMIT, plannedOnce } from '@storefront/postgres'
import { sql } from 'kysely'
import { sampledTraceparent } from '@storefront/service'
import { readEmailAddress } from '@storefront/contracts'
import type { Database, MailPhase, Row, Tx } from '../database.ts'
import { IS_NOT_ERASED } from './customer-mails.queries.ts'
import type { TestMail } from './test-mails.queries.ts'

export interface NewMail {
  id: string
  eventId: string
  eventAt: Date
  kind: string
  /** In any spelling: the canonical form is stored. */
  recipient: string
  reference: string
  customerId?: string | undefined
  data: unknown
  /** The earliest time to send it; at once if missing. */
  notBefore?: Date
  /** Why it is not sent, unless a merchant sends it; missing if it is sent. */
  withheld?: string | undefined
}

/**
 * Stores mails: to be sent, or withheld. An event that already has its mail of this kind gets no other, and a deleted
 * customer none but the farewell. Needs `holdDeletions`.
 */
export async function insertMails(tx: Tx, mails: readonly NewMail[], now: Date): Promise<void> {
  if (mails.length === 0) return
  const column = <Key extends keyof NewMail>(key: Key) => mails.map((mail) => mail[key])
  // An address that cannot be parsed is stored unchanged, and the log shows why no mail goes there.
  const recipients = mails.map(({ recipient }) => readEmailAddress(recipient)?.canonical ?? recipient)
  await sql`
    insert into mails
      (id, event_id, event_at, kind, recipient, reference, customer_id, data, next_attempt_at, phase, answer, settled_at,
        created_at, traceparent)
    select n.id, n.event_id, n.event_at, n.kind, n.recipient, n.reference, n.customer_id, n.data::jsonb,
      coalesce(n.not_before, ${now}::timestamptz), case when n.withheld is null then 'queued' else 'withheld' end, n.withheld,
      case when n.withheld is not null then ${now}::timestamptz end, ${now}::timestamptz, ${sampledTraceparent()}::text
    from unnest(${plannedOnce(column('id'))}, ${column('eventId')}::text[], ${column('eventAt')}::timestamptz[],
      ${column('kind')}::text[], ${recipients}::text[], ${column('reference')}::text[],
      ${mails.map(({ customerId }) => customerId ?? null)}::text[], ${mails.map(({ data }) => JSON.stringify(data))}::text[],
      ${mails.map(({ notBefore }) => notBefore ?? null)}::timestamptz[],
      ${mails.map(({ withheld }) => withheld ?? null)}::text[]) with ordinality
      as n (id, event_id, event_at, kind, recipient, reference, customer_id, data, not_before, withheld, position)
    where ${IS_NOT_ERASED}
    order by n.position
    on conflict on constraint mails_once do nothing /* sent with the next */`.execute(tx)
}

/** Orders of these numbers whose first mail is withheld. */
export async function findWithheldOrders(tx: Tx, numbers: readonly string[]): Promise<Set<string>> {
  if (numbers.length === 0) return new Set()
  const { rows } = await sql<{ reference: string }>`
    select reference from mails
    where phase = 'withheld' and kind = 'orderPlaced' and reference = any(${plannedOnce(numbers)})`.execute(tx)
  return new Set(rows.map(({ reference }) => reference))
}

/** Withholds the mails of these orders that are already queued: events come in any order. */
export async function withholdFollowers(
  tx: Tx,
  {
    references,
    kinds,
    reason,
    now,
  }: { references: readonly string[]; kinds: readonly string[]; reason: string; now: Date },
): Promise<{ id: string; kind: string; reference: string }[]> {
  if (references.length === 0) return []
  const { rows } = await sql<{ id: string; kind: string; reference: string }>`
    update mails set phase = 'withheld', answer = ${reason}, settled_at = ${now}::timestamptz
    where reference = any(${[...references]}::text[]) and kind = any(${[...kinds]}::text[]) and phase = 'queued'
    returning id, kind, reference`.execute(tx)
  return rows
}

export type ClaimedMail = TestMail & Pick<Row<'mails'>, 'data' | 'attempts' | 'created_at' | 'traceparent'>

/**
 * Claims due mails for this worker. Each counts as attempted from here on. A claim may be lost when the database
 * crashes, and the mail is then claimed again, maybe by the same worker: before the end of a mail is sent,
 * `markHandedOver` waits for its commit, and the mails of one reference are sent one after the other.
 */
export async function claimMails(
  db: Database,
  claim: { limit: number; worker: string; leaseMs: number; now: Date },
): Promise<ClaimedMail[]> {
  const due = sql`
    select id from mails where phase = 'queued' and next_attempt_at <= ${claim.now} order by next_attempt_at, seq`
  const { rows } = await sql<ClaimedMail>`
    update mails m
    set phase = 'connecting', attempts = attempts + 1, leased_by = ${claim.worker},
      lease_until = now() + ${claim.leaseMs} * interval '1 ms'
    from ${ASYNC_COMMIT} where id = ${anyUnlocked(due, claim.limit)}
    returning id, event_id, event_at, kind, recipient, reference, data, attempts, created_at, traceparent`.execute(db)
  return rows
}

export async function renewMailLeases(
  db: Database,
  lease: { ids: string[]; worker: string; leaseMs: number },
): Promise<void> {
  await sql`
    with held as materialized (
      select id from mails where id = any(${lease.ids}::text[]) order by id for update
    )
    update mails m set lease_until = now() + ${lease.leaseMs} * interval '1 ms'
    from held
    where m.id = held.id and m.leased_by = ${lease.worker} and m.phase in ('connecting', 'handed-over')`.execute(db)
}

/**
 * The point of no return: after this commits these mails may reach their readers, and no worker sends them again.
 * @returns the recorded ones; this worker has lost its claims on the others and must not send them
 */
export async function markHandedOver(
  db: Database,
  mails: { ids: readonly string[]; worker: string; leaseMs: number },
): Promise<Set<string>> {
  // Locked in the order of their ids, as leases are renewed, so that the two cannot deadlock.
  const { rows } = await sql<{ id: string }>`
    with held as materialized (
      select id from mails where id = any(${plannedOnce(mails.ids)}) order by id for update
    )
    update mails m set phase = 'handed-over', lease_until = now() + ${mails.leaseMs} * interval '1 ms'
    from held
    -- The phase as an expression: its index has an entry of every mail since it was last vacuumed.
    where m.id = held.id and m.leased_by = ${mails.worker} and m.phase || '' = 'connecting'
    returning m.id`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/**
 * Handles the mails of a dead replica. A mail whose end the server cannot have received is queued again; one that it
 * may have accepted is uncertain and stays so.
 */
export async function reclaimMails(
  db: Database,
  reclaim: { worker: string; held: string[]; now: Date },
): Promise<{ id: string; reference: string; phase: MailPhase }[]> {
  const { rows } = await sql<{ id: string; reference: string; phase: MailPhase }>`
    with lost as (
      select id from mails
      where phase in ('connecting', 'handed-over') and lease_until < now()
        and not (leased_by = ${reclaim.worker} and id = any(${reclaim.held}::text[]))
      for update skip locked
    )
    update mails m
    set phase = case m.phase when 'connecting' then 'queued' else 'uncertain' end,
      next_attempt_at = ${reclaim.now},
      -- The holder of an uncertain mail may still get its result.
      leased_by = case m.phase when 'connecting' then null else m.leased_by end,
      lease_until = null,
      answer = 'interrupted',
      settled_at = case m.phase when 'connecting' then null else ${reclaim.now}::timestamptz end
    from lost where m.id = lost.id
    returning m.id, m.reference, m.phase`.execute(db)
  return rows
}

export interface MailOutcome {
  id: string
  phase: Extract<MailPhase, 'queued' | 'sent' | 'failed' | 'uncertain' | 'dropped'>
  answer: string | null
  /** When it is queued again. */
  nextAttemptAt: Date | null
  /** The address does not exist. */
  bounced: boolean
}

/**
 * Ends attempts that this worker still holds, in one statement: a commit costs more than the row.
 * @returns the phase of each mail: dropped instead of queued when its reader was deleted meanwhile; those whose claim
 * was lost are missing
 */
export async function noteMails(
  db: Database,
  worker: string,
  outcomes: readonly MailOutcome[],
  now: Date,
): Promise<Map<string, MailPhase>> {
  const column = <Key extends keyof MailOutcome>(key: Key) => outcomes.map((outcome) => outcome[key])
  // Locked in the order of their ids, as leases are renewed, so that the two cannot deadlock.
  const { rows } = await sql<{ id: string; phase: MailPhase }>`
    with held as materialized (
      select id from mails where id = any(${plannedOnce(column('id'))}) order by id for update
    )
    update mails m
    set phase = case when o.phase = 'queued' and m.recipient = '' then 'dropped' else o.phase end,
      -- The last mail to a deleted account leaves no address behind.
      recipient = case when m.kind = 'accountDeleted' and o.phase <> 'queued' then '' else m.recipient end,
      data = case when m.kind = 'accountDeleted' and o.phase <> 'queued' then '{}' else m.data end,
      answer = case when m.recipient = '' or (m.kind = 'accountDeleted' and o.phase <> 'queued') then null else o.answer end,
      bounced = o.bounced,
      next_attempt_at = coalesce(o.next_attempt_at, m.next_attempt_at),
      leased_by = null, lease_until = null,
      settled_at = case when o.phase = 'queued' and m.recipient <> '' then null else ${now}::timestamptz end
    from held, unnest(${plannedOnce(column('id'))}, ${column('phase')}::text[], ${column('answer')}::text[],
      ${column('nextAttemptAt')}::timestamptz[], ${column('bounced')}::boolean[])
      as o (id, phase, answer, next_attempt_at, bounced)
    where m.id = held.id and o.id = held.id and m.leased_by = ${worker}
      -- A late result settles an uncertain mail, but never sends it again. Not as conditions on the phase, as above.
      and case m.phase
        when 'connecting' then true
        when 'handed-over' then true
        when 'uncertain' then o.phase in ('sent', 'failed')
        else false
      end
    returning m.id, m.phase`.execute(db)
  return new Map(rows.map((row) => [row.id, row.phase]))
}

/** How many mails are to be sent, up to 100,000. */
export async function countWaitingMails(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (select from mails where phase = 'queued' limit 100000) as waiting`.execute(db)
  return rows[0]?.count ?? 0
}
