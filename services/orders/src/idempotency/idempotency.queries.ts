import { sql } from 'kysely'
import { deleteRows } from '@storefront/postgres'
import type { Database } from '../database.ts'

interface StoredRequest {
  requestHash: Buffer
  /** Text that `encryptResponse` made; none while the first request is processed. */
  answer: string | null
}

interface KeyRequest {
  id: Buffer
  requestHash: Buffer
  now: Date
  leaseUntil: Date
  holderIsGone: boolean
}

/**
 * Claims a key for a request, when the key is free, or when its holder stored no response and its lease has ended or
 * its process is gone.
 * @returns the time of the claim, which identifies the holder; undefined when the key was not claimed
 */
export async function claimKey(
  db: Database,
  { id, requestHash, now, leaseUntil, holderIsGone }: KeyRequest,
): Promise<Date | undefined> {
  const { rows } = await sql<{ startedAt: Date }>`
    insert into idempotency_keys as known (id, request_hash, started_at, lease_until)
    values (${id}, ${requestHash}, ${now}::timestamptz, ${leaseUntil}::timestamptz)
    on conflict (id) do update
    set started_at = greatest(excluded.started_at, known.started_at + interval '1 ms'), lease_until = excluded.lease_until
    where known.answer is null and (known.lease_until <= ${now}::timestamptz or ${holderIsGone}) and known.request_hash = ${requestHash}
    returning started_at as "startedAt"`.execute(db)
  return rows[0]?.startedAt
}

/** The request is still being processed. */
export async function renewLease(db: Database, id: Buffer, startedAt: Date, leaseUntil: Date): Promise<void> {
  await sql`
    update idempotency_keys set lease_until = ${leaseUntil}::timestamptz
    where id = ${id} and answer is null and started_at = ${startedAt}::timestamptz`.execute(db)
}

export async function findStoredRequest(db: Database, id: Buffer): Promise<StoredRequest | undefined> {
  const { rows } = await sql<StoredRequest>`
    select request_hash as "requestHash", answer from idempotency_keys where id = ${id}`.execute(db)
  return rows[0]
}

/** Stores the response, unless another request claimed the key meanwhile: then that one counts. */
export async function storeResponse(db: Database, id: Buffer, startedAt: Date, response: string): Promise<void> {
  await sql`
    update idempotency_keys set answer = ${response}
    where id = ${id} and answer is null and started_at = ${startedAt}::timestamptz`.execute(db)
}

/** The request failed: the key may be used again. */
export async function releaseKey(db: Database, id: Buffer, startedAt: Date): Promise<void> {
  await sql`
    delete from idempotency_keys
    where id = ${id} and answer is null and started_at = ${startedAt}::timestamptz`.execute(db)
}

/** @returns how many were deleted, at most `limit` */
export function deleteOldKeys(db: Database, before: Date, limit: number): Promise<number> {
  return deleteRows(db, 'idempotency_keys', sql`started_at < ${before} order by started_at`, limit)
}
