import type { NotifierContext } from '../context.ts'
import { deleteMailContents } from './mails.queries.ts'

const KEPT_MS = 30 * 24 * 3600 * 1000

/**
 * Names and addresses of buyers are in the order; a second copy of them is kept only while it may explain something.
 */
export async function deleteOldMails({ db, clock }: Pick<NotifierContext, 'db' | 'clock'>): Promise<void> {
  const before = new Date(clock.now().getTime() - KEPT_MS)
  await deleteMailContents(db, before)
}
