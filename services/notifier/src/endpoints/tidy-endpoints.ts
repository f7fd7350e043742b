import type { NotifierContext } from '../context.ts'
import { forgetDeletedEndpoints, settleForDeletedEndpoints } from './deleted-endpoints.queries.ts'
import { forgetPreviousSecrets } from './endpoints.queries.ts'

/** A test that was under way when its endpoint was deleted has long been written down by then. */
const DELETED_FOR_MS = 3600 * 1000

/** Sees to what a deletion or a rotation has left behind. */
export async function tidyEndpoints({ db, clock }: Pick<NotifierContext, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  await forgetPreviousSecrets(db, now)
  await settleForDeletedEndpoints(db, now)
  await forgetDeletedEndpoints(db, new Date(now.getTime() - DELETED_FOR_MS))
}
