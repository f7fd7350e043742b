import { transaction } from '@storefront/postgres'
import type { OrdersContext } from '../context.ts'
import type { StoredDraft } from '../drafts/draft.ts'
import { lockDraft } from '../drafts/drafts.queries.ts'
import { releaseSessions } from '../sessions/release-sessions.ts'
import type { StoredSession } from '../sessions/session.ts'
import { endSessions, lockSessions } from '../sessions/sessions.queries.ts'

/**
 * Ends the payment page of a draft that the merchant changed or canceled while it was being opened.
 * @returns whether the draft was changed or canceled, even if another request has ended the page
 */
export async function endIfChanged(
  context: OrdersContext,
  before: StoredDraft,
  session: StoredSession,
): Promise<boolean> {
  const { isChanged, ended } = await transaction(context.db, async (tx) => {
    await lockSessions(tx, { id: session.id, cartIds: [before.id], lineIds: [] })
    const current = await lockDraft(tx, before.id)
    const isChanged = current?.status !== 'ordered' && current?.version !== before.version
    return { isChanged, ended: isChanged ? await endSessions(tx, [session], 'superseded') : [] }
  })
  await releaseSessions(context, ended)
  return isChanged
}
