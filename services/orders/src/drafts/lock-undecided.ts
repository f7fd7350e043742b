import type { Tx } from '../database.ts'
import { draftIsOver, draftNotFound } from '../errors.ts'
import type { StoredSession } from '../sessions/session.ts'
import { endSessions, lockSessions } from '../sessions/sessions.queries.ts'
import { isUndecided, type StoredDraft } from './draft.ts'
import { lockDraft } from './drafts.queries.ts'

/**
 * Locks a draft order that the merchant changes, and ends the payment pages of its previous content.
 * @returns the draft, and the ended sessions, for `releaseSessions` after the commit
 * @throws HttpError `not_found`, or `conflict` when it was ordered or canceled
 */
export async function lockUndecided(tx: Tx, id: string): Promise<{ draft: StoredDraft; ended: StoredSession[] }> {
  const sessions = await lockSessions(tx, { id: null, cartIds: [id], lineIds: [] })
  const draft = await lockDraft(tx, id)
  if (!draft) throw draftNotFound()
  if (!isUndecided(draft)) throw draftIsOver(draft.status)
  return { draft, ended: await endSessions(tx, sessions, 'superseded') }
}
