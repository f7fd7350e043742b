import type { Connection, Database, Tx } from '../database.ts'
import type { RevokedSession, SessionOwner } from './session.ts'

export interface NewSession {
  id: string
  owner: SessionOwner
  createdAt: Date
  expiresAt: Date
}

export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  const { owner } = session
  await tx
    .insertInto('sessions')
    .values({
      id: session.id,
      kind: owner.kind,
      customer_id: owner.kind === 'customer' ? owner.customerId : null,
      admin_user_id: owner.kind === 'admin' ? owner.adminUserId : null,
      created_at: session.createdAt,
      expires_at: session.expiresAt,
    })
    .execute()
}

export async function isSessionActive(connection: Connection, sessionId: string, now: Date): Promise<boolean> {
  const session = await connection
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return session !== undefined
}

/** @returns the session and whose it was, if this ended it; an empty list when it was over before, or is of another kind */
export async function revokeSession(
  tx: Tx,
  kind: SessionOwner['kind'],
  sessionId: string,
  now: Date,
): Promise<(RevokedSession & { admin_user_id: string | null })[]> {
  return revoking(tx, now)
    .where('id', '=', sessionId)
    .where('kind', '=', kind)
    .returning(['id', 'expires_at', 'admin_user_id'])
    .execute()
}

/** @param except the one that goes on, if any */
export async function revokeAllAdminSessions(
  tx: Tx,
  adminUserId: string,
  now: Date,
  except?: string,
): Promise<RevokedSession[]> {
  let ending = revoking(tx, now).where('admin_user_id', '=', adminUserId)
  if (except !== undefined) ending = ending.where('id', '!=', except)
  return ending.returning(['id', 'expires_at']).execute()
}

function revoking(tx: Tx, now: Date) {
  return tx
    .updateTable('sessions')
    .set({ revoked_at: now, shared_at: null })
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
}

/** Revoked sessions that Redis has not heard of, in no particular order. */
export async function listUnshared(db: Database, now: Date, limit: number): Promise<RevokedSession[]> {
  return db
    .selectFrom('sessions')
    .select(['id', 'expires_at'])
    .where('revoked_at', 'is not', null)
    .where('shared_at', 'is', null)
    .where('expires_at', '>', now)
    .limit(limit)
    .execute()
}

export async function markShared(db: Database, ids: string[], now: Date): Promise<void> {
  await db.updateTable('sessions').set({ shared_at: now }).where('id', 'in', ids).execute()
}

/**
 * Forgets that Redis knew of these revocations, because it may have lost them.
 * @param options.revokedSince all revocations when left out
 * @param options.sharedBefore leaves alone what another copy has written again in the meantime
 * @returns how many of them there were, at most `limit`
 */
export async function forgetShared(
  db: Database,
  options: { revokedSince: Date | undefined; sharedBefore: Date; now: Date; limit: number },
): Promise<number> {
  let lost = db
    .selectFrom('sessions')
    .select('id')
    .where('revoked_at', 'is not', null)
    .where('shared_at', '<', options.sharedBefore)
    .where('expires_at', '>', options.now)
    .limit(options.limit)
  if (options.revokedSince) lost = lost.where('revoked_at', '>=', options.revokedSince)
  const result = await db.updateTable('sessions').set({ shared_at: null }).where('id', 'in', lost).executeTakeFirst()
  return Number(result.numUpdatedRows)
}

/** @returns how many were deleted, at most `limit` */
export async function deleteExpiredSessions(db: Database, expiredBefore: Date, limit: number): Promise<number> {
  const expired = db.selectFrom('sessions').select('id').where('expires_at', '<', expiredBefore).limit(limit)
  const result = await db.deleteFrom('sessions').where('id', 'in', expired).executeTakeFirst()
  return Number(result.numDeletedRows)
}
