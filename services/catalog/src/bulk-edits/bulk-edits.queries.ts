import { sql } from 'kysely'
import { deleteRows } from '@storefront/postgres'
import { newId, type Actor, type BulkEditChange, type BulkEditProblem, type BulkEditState } from '@storefront/contracts'
import type { Database, Tx } from '../database.ts'
import { bulkEditNotFound } from '../errors.ts'
import type { RequestKey } from './request-key.ts'

export interface StoredBulkEdit {
  id: string
  createdAt: Date
  finishedAt: Date | null
  actor: Actor
  change: BulkEditChange | null
  undoes: string | null
  undoneBy: string | null
  state: BulkEditState
  total: number
  changed: number
  unchanged: number
  failed: number
  problems: BulkEditProblem[]
  lastProduct: string
}

const COLUMNS = sql.raw(`e.id, e.created_at as "createdAt", e.finished_at as "finishedAt", e.actor, e.change, e.undoes,
  (select u.id from bulk_edits u where u.undoes = e.id and u.state <> 'cancelled') as "undoneBy", e.state, e.total,
  e.changed, e.unchanged, e.failed, e.problems, e.last_product as "lastProduct"`)

type NewBulkEdit = Pick<StoredBulkEdit, 'actor' | 'change' | 'undoes'> & { key: RequestKey | undefined }

/** @returns its id; undefined when there is one with the same key already */
export async function insertBulkEdit(tx: Tx, edit: NewBulkEdit, now: Date): Promise<string | undefined> {
  const id = newId('bulkEdit')
  const { rows } = await sql`
    insert into bulk_edits (id, created_at, actor, change, undoes, state, total, key_digest, request_digest)
    values (${id}, ${now}, ${JSON.stringify(edit.actor)}::jsonb, ${edit.change && JSON.stringify(edit.change)}::jsonb,
      ${edit.undoes}, 'queued', 0, ${edit.key?.keyDigest ?? null}, ${edit.key?.requestDigest ?? null})
    on conflict (key_digest) do nothing returning id`.execute(tx)
  return rows.length > 0 ? id : undefined
}

/** Clears a key that was used before this time, so that it can be used for another request. */
export async function releaseOldKey(tx: Tx, keyDigest: Buffer, before: Date): Promise<void> {
  await sql`
    update bulk_edits set key_digest = null where key_digest = ${keyDigest} and created_at < ${before}`.execute(tx)
}

export async function findByKey(
  tx: Tx,
  keyDigest: Buffer,
): Promise<{ id: string; requestDigest: Buffer | null } | undefined> {
  const { rows } = await sql<{ id: string; requestDigest: Buffer | null }>`
    select id, request_digest as "requestDigest" from bulk_edits where key_digest = ${keyDigest}`.execute(tx)
  return rows[0]
}

/** Stores the products of a new bulk edit. Those that do not exist fail when they are processed. */
export async function insertSelected(tx: Tx, id: string, productIds: readonly string[]): Promise<void> {
  await sql`
    insert into bulk_edit_products (edit_id, product_id) select ${id}, unnest(${productIds}::text[])`.execute(tx)
  await saveTotal(tx, id)
}

/** Stores the products of an undo: those that the bulk edit has changed. */
export async function insertChanged(tx: Tx, id: string, undoes: string): Promise<void> {
  await sql`
    insert into bulk_edit_products (edit_id, product_id)
    select ${id}, product_id from bulk_edit_products where edit_id = ${undoes} and after is not null`.execute(tx)
  await saveTotal(tx, id)
}

async function saveTotal(tx: Tx, id: string): Promise<void> {
  await sql`
    update bulk_edits set total = (select count(*) from bulk_edit_products where edit_id = ${id})
    where id = ${id}`.execute(tx)
}

/** @throws HttpError when there is no such bulk edit */
export async function findBulkEdit(db: Database | Tx, id: string): Promise<StoredBulkEdit> {
  const { rows } = await sql<StoredBulkEdit>`select ${COLUMNS} from bulk_edits e where e.id = ${id}`.execute(db)
  if (!rows[0]) throw bulkEditNotFound()
  return rows[0]
}

/** The latest first. @param page.before the last one of the previous page */
export async function findBulkEdits(
  db: Database,
  { limit, offset, before }: { limit: number; offset: number; before: string | undefined },
): Promise<StoredBulkEdit[]> {
  const earlier =
    before === undefined
      ? sql``
      : sql`where (e.created_at, e.id) < (select b.created_at, b.id from bulk_edits b where b.id = ${before})`
  const { rows } = await sql<StoredBulkEdit>`
    select ${COLUMNS} from bulk_edits e ${earlier} order by e.created_at desc, e.id desc
    limit ${limit} offset ${offset}`.execute(db)
  return rows
}

export async function countBulkEdits(db: Database): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*)::int as total from bulk_edits`.execute(db)
  return rows[0]?.total ?? 0
}

/** The oldest bulk edit that has not ended. They are processed one after the other. */
export async function findOldestOpen(db: Database): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from bulk_edits where finished_at is null order by created_at, id limit 1`.execute(db)
  return rows[0]?.id
}

/** Held until the end of the transaction: batches are processed one after the other, by any replica. */
const BULK_EDIT_LOCK = 712_026

/**
 * Claims the next batch of a bulk edit. Its row stays unlocked, so that it can be canceled at any moment.
 * @returns undefined when another replica is processing a batch, or the bulk edit has ended
 */
export async function claimBatch(tx: Tx, id: string): Promise<StoredBulkEdit | undefined> {
  const { rows: locks } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(${BULK_EDIT_LOCK}) as locked`.execute(tx)
  if (locks[0]?.locked !== true) return undefined
  const { rows } = await sql<StoredBulkEdit>`
    select ${COLUMNS} from bulk_edits e where e.id = ${id} and e.finished_at is null`.execute(tx)
  return rows[0]
}

/** Serializes requests to undo a bulk edit. */
export async function lockBulkEdit(tx: Tx, id: string): Promise<void> {
  await sql`select 1 from bulk_edits where id = ${id} for update`.execute(tx)
}

export interface Progress extends Pick<
  StoredBulkEdit,
  'state' | 'changed' | 'unchanged' | 'failed' | 'problems' | 'lastProduct' | 'finishedAt'
> {}

/** Stores the state of a bulk edit whose batch was claimed. @returns whether it was not canceled meanwhile */
export async function saveProgress(tx: Tx, id: string, progress: Progress): Promise<boolean> {
  const { rows } = await sql`
    update bulk_edits set state = ${progress.state}, changed = ${progress.changed}, unchanged = ${progress.unchanged},
      failed = ${progress.failed}, problems = ${JSON.stringify(progress.problems)}::jsonb,
      last_product = ${progress.lastProduct}, finished_at = ${progress.finishedAt}
    where id = ${id} and finished_at is null returning id`.execute(tx)
  return rows.length > 0
}

/** Ends a bulk edit that has not ended. @returns whether this call ended it */
export async function cancelBulkEdit(tx: Tx, id: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update bulk_edits set state = 'cancelled', finished_at = ${now} where id = ${id} and finished_at is null
    returning id`.execute(tx)
  return rows.length > 0
}

/** @returns how many were deleted, at most `limit` */
export function deleteBulkEdits(db: Database, before: Date, limit: number): Promise<number> {
  return deleteRows(db, 'bulk_edits', sql`finished_at < ${before}`, limit)
}
