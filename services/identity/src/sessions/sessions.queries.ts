import { deleteRows } from '@storefront/postgres'
import { sql } from 'kysely'
import type { Connection, Database, Tx } from '../database.ts'
import type { Revocable, Revoked } from './revoked.ts'
import { ACCEPTED_AFTER_END_MS, type SessionOwner } from './session.ts'

interface NewSession {
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

/** When the session began. */
export async function sessionOpenedAt(connection: Connection, sessionId: string): Promise<Date | undefined> {
  const session = await connection
    .selectFrom('sessions')
    .select('created_at')
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return session?.created_at
}

/** @returns undefined for a session that has ended */
export async function sessionEndsAt(connection: Connection, sessionId: string, now: Date): Promise<Date | undefined> {
  const session = await connection
    .selectFrom('sessions')
    .select('expires_at')
    .where('id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return session?.expires_at
}

export async function isSessionActive(connection: Connection, sessionId: string, now: Date): Promise<boolean> {
  return (await sessionEndsAt(connection, sessionId, now)) !== undefined
}

/**
 * @returns the session and its owner, if this call ended it; an empty list when it had ended before, or is of another
 * kind
 */
export async function revokeSession(
  tx: Tx,
  kind: SessionOwner['kind'],
  sessionId: string,
  now: Date,
): Promise<(Revoked & { admin_user_id: string | null })[]> {
  return revoking(tx, now)
    .where('id', '=', sessionId)
    .where('kind', '=', kind)
    .returning(['id', 'expires_at', 'admin_user_id'])
    .execute()
}

export const revokeAllAdminSessions = revokingAllOf('admin_user_id')
export const revokeAllCustomerSessions = revokingAllOf('customer_id')

function revokingAllOf(column: 'admin_user_id' | 'customer_id') {
  /** @param options.except the session that stays open */
  return async (tx: Tx, ownerId: string, now: Date, { except }: { except?: string } = {}): Promise<Revoked[]> => {
    let sessions = revoking(tx, now).where(column, '=', ownerId)
    if (except !== undefined) sessions = sessions.where('id', '!=', except)
    return sessions.returning(['id', 'expires_at']).execute()
  }
}

/** All sessions of the customer whose session this is. An ended session can end no others. */
export async function revokeSessionsOfSameCustomer(tx: Tx, sessionId: string, now: Date): Promise<Revoked[]> {
  const owner = tx
    .selectFrom('sessions as own')
    .select('own.customer_id')
    .where('own.id', '=', sessionId)
    .where('own.revoked_at', 'is', null)
    .where('own.expires_at', '>', oldestAcceptedEnd(now))
  return revoking(tx, now).where('customer_id', 'in', owner).returning(['id', 'expires_at']).execute()
}

/**
 * Ends the oldest open sessions of a customer. Two concurrent calls do not wait for each other.
 * @param keep how many newer ones stay open
 * @param atMost how many are ended now; there are more only if they were opened before this limit existed
 */
export async function revokeOldestCustomerSessions(
  tx: Tx,
  customerId: string,
  now: Date,
  { keep, atMost }: { keep: number; atMost: number },
): Promise<Revoked[]> {
  const oldest = tx
    .selectFrom('sessions')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', oldestAcceptedEnd(now))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset(keep)
    .limit(atMost)
  // Locked outside of the subquery, which would also lock the newer sessions.
  const locked = tx
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sql<string>`any(array(${oldest}))`)
    .forUpdate()
    .skipLocked()
  return revoking(tx, now)
    .where('id', '=', sql<string>`any(array(${locked}))`)
    .returning(['id', 'expires_at'])
    .execute()
}

/**
 * Ends all sessions of an account that is about to be deleted. Revoked ones stay; expired ones are deleted, because
 * a session without an owner must be revoked.
 * @returns the sessions that this call ended
 */
export async function endCustomerSessions(tx: Tx, customerId: string, now: Date): Promise<Revoked[]> {
  const revoked = await revokeAllCustomerSessions(tx, customerId, now)
  await tx.deleteFrom('sessions').where('customer_id', '=', customerId).where('revoked_at', 'is', null).execute()
  return revoked
}

/** Sessions that a gateway would still accept, which is for a moment longer than they last. */
function revoking(tx: Tx, now: Date) {
  return tx
    .updateTable('sessions')
    .set({ revoked_at: now, shared_at: null })
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', oldestAcceptedEnd(now))
}

export const revocableSessions: Revocable = {
  async listRevoked(connection, { which, after, limit }, now) {
    let page = connection
      .selectFrom('sessions')
      .select(['id', 'expires_at'])
      .where('revoked_at', 'is not', null)
      .where('expires_at', '>', oldestAcceptedEnd(now))
      .where('id', '>', after)
    if (which === 'unshared') page = page.where('shared_at', 'is', null)
    return page.orderBy('id').limit(limit).execute()
  },

  async markShared(connection, ids, now) {
    await connection
      .updateTable('sessions')
      .set({ shared_at: now })
      .where('id', 'in', ids)
      .where('shared_at', 'is', null)
      .execute()
  },
}

/** No verifier accepts tokens of sessions that ended before this time. */
function oldestAcceptedEnd(now: Date): Date {
  return new Date(now.getTime() - ACCEPTED_AFTER_END_MS)
}

/** @returns how many were deleted, at most `limit` */
export function deleteExpiredSessions(db: Database, expiredBefore: Date, limit: number): Promise<number> {
  return deleteRows(db, 'sessions', sql`expires_at < ${expiredBefore}`, limit)
}
