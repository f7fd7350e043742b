import { sql } from 'kysely'
import type { Database } from '../database.ts'

export interface KeptRequest {
  requestHash: Buffer
  /** Text that `keep` wrote; none while the first request is at work. */
  answer: string | null
}

export interface KeyRequest {
  id: Buffer
  requestHash: Buffer
  now: Date
  leaseUntil: Date
  holderIsGone: boolean
}

/**
 * Takes a key for a request, when nobody has it, or when whoever had it left no answer and is past his lease, or gone.
 * @returns whether it was taken
 */
export async function takeKey(
  db: Database,
  { id, requestHash, now, leaseUntil, holderIsGone }: KeyRequest,
): Promise<boolean> {
  const { rows } = await sql`
    insert into idempotency_keys as known (id, request_hash, started_at, lease_until)
    values (${id}, ${requestHash}, ${now}::timestamptz, ${leaseUntil}::timestamptz)
    on conflict (id) do update set started_at = excluded.started_at, lease_until = excluded.lease_until
    where known.answer is null and (known.lease_until <= ${now}::timestamptz or ${holderIsGone}) and known.request_hash = ${requestHash}
    returning 1`.execute(db)
  return rows.length > 0
}

export async function findKept(db: Database, id: Buffer): Promise<KeptRequest | undefined> {
  const { rows } = await sql<KeptRequest>`
    select request_hash as "requestHash", answer from idempotency_keys where id = ${id}`.execute(db)
  return rows[0]
}

/** Keeps the answer, unless somebody took over meanwhile: then his counts. */
export async function keepAnswer(db: Database, id: Buffer, leaseUntil: Date, answer: string): Promise<void> {
  await sql`
    update idempotency_keys set answer = ${answer}
    where id = ${id} and answer is null and lease_until = ${leaseUntil}::timestamptz`.execute(db)
}

/** The request failed: the same key may try again. */
export async function giveKeyBack(db: Database, id: Buffer, leaseUntil: Date): Promise<void> {
  await sql`
    delete from idempotency_keys
    where id = ${id} and answer is null and lease_until = ${leaseUntil}::timestamptz`.execute(db)
}

export async function forgetOldKeys(db: Database, before: Date): Promise<void> {
  await sql`delete from idempotency_keys where started_at < ${before}`.execute(db)
}
