import type { Connection, Database, Tx } from '../database.ts'
import type { Revocable, Revoked } from './revoked.ts'
import { TAKEN_AFTER_END_MS, type SessionOwner } from './session.ts'

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

/** @returns the session if this ended it; an empty list when it was over before, or is of another kind */
export async function revokeSession(
  tx: Tx,
  kind: SessionOwner['kind'],
  sessionId: string,
  now: Date,
): Promise<Revoked[]> {
  return revoking(tx, now)
    .where('id', '=', sessionId)
    .where('kind', '=', kind)
    .returning(['id', 'expires_at'])
    .execute()
}

export async function revokeAllAdminSessions(tx: Tx, adminUserId: string, now: Date): Promise<Revoked[]> {
  return revoking(tx, now).where('admin_user_id', '=', adminUserId).returning(['id', 'expires_at']).execute()
}

function revoking(tx: Tx, now: Date) {
  return tx
    .updateTable('sessions')
    .set({ revoked_at: now, shared_at: null })
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
}

export const revocableSessions: Revocable = {
  listUnshared: (db, now, limit) =>
    db
      .selectFrom('sessions')
      .select(['id', 'expires_at'])
      .where('revoked_at', 'is not', null)
      .where('shared_at', 'is', null)
      .where('expires_at', '>', takenUntil(now))
      .limit(limit)
      .execute(),

  async markShared(db, ids, now) {
    await db.updateTable('sessions').set({ shared_at: now }).where('id', 'in', ids).execute()
  },

  async forgetShared(db, now, limit) {
    const lost = db
      .selectFrom('sessions')
      .select('id')
      .where('revoked_at', 'is not', null)
      .where('shared_at', 'is not', null)
      .where('expires_at', '>', takenUntil(now))
      .limit(limit)
    const result = await db.updateTable('sessions').set({ shared_at: null }).where('id', 'in', lost).executeTakeFirst()
    return Number(result.numUpdatedRows)
  },
}

/** Tokens of sessions that ended before this moment are taken nowhere any more. */
function takenUntil(now: Date): Date {
  return new Date(now.getTime() - TAKEN_AFTER_END_MS)
}

/** @returns how many were deleted, at most `limit` */
export async function deleteExpiredSessions(db: Database, expiredBefore: Date, limit: number): Promise<number> {
  const expired = db.selectFrom('sessions').select('id').where('expires_at', '<', expiredBefore).limit(limit)
  const result = await db.deleteFrom('sessions').where('id', 'in', expired).executeTakeFirst()
  return Number(result.numDeletedRows)
}
