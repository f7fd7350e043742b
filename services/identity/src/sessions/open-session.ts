import { newId } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import type { Tokens } from '../tokens/tokens.ts'
import { insertSession } from './sessions.queries.ts'
import { sessionEnd, type SessionOwner } from './session.ts'

/** Signs a user in: creates a session that can be revoked, and the token that names it. */
export async function openSession(
  tx: Tx,
  tokens: Tokens,
  owner: SessionOwner,
  now: Date,
): Promise<{ token: string; expiresAt: Date }> {
  const id = newId('session')
  const expiresAt = sessionEnd(owner, now)
  await insertSession(tx, { id, owner, createdAt: now, expiresAt })
  const token = await tokens.issue(tx, { sessionId: id, owner, issuedAt: now, expiresAt })
  return { token, expiresAt }
}
