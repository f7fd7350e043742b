import type { NotifierContext } from '../context.ts'
import { forgetDeliveries } from './deliveries.queries.ts'

/** How long the log reaches back. Longer than an event can stay on the stream, so none comes twice for it. */
const KEPT_MS = 30 * 24 * 3600 * 1000

export async function forgetOldDeliveries({ db, clock }: NotifierContext): Promise<void> {
  await forgetDeliveries(db, new Date(clock.now().getTime() - KEPT_MS))
}
