import { replyTo } from '@storefront/messaging'
import { FindApiKey } from '@storefront/contracts'
import type { IdentityContext } from '../context.ts'
import { effectivePermissions } from './api-key.ts'
import { findValidApiKey, noteUse } from './api-keys.queries.ts'

const NOTED_EVERY_MS = 60_000

/** For a gateway that received a secret key. It caches the reply, so it does not send a request for each use. */
export function replyToFindApiKey(context: IdentityContext): void {
  replyTo(context, FindApiKey, async ({ digest }) => {
    const found = await findValidApiKey(context.db, digest, context.clock.now())
    if (!found) return {}
    noteUseLater(context, found)
    const { id, expires_at } = found
    const permissions = effectivePermissions(found.permissions, found.maker_role)
    return { key: { id, permissions, ...(expires_at === null ? {} : { expiresAt: expires_at.toISOString() }) } }
  })
}

/** Records a use in the background: the reply neither waits for it nor depends on it. */
function noteUseLater(
  { db, clock, log }: IdentityContext,
  { id, last_used_at }: { id: string; last_used_at: Date | null },
): void {
  const now = clock.now()
  const notedBefore = new Date(now.getTime() - NOTED_EVERY_MS)
  if (last_used_at !== null && last_used_at > notedBefore) return
  noteUse(db, id, now, notedBefore).catch((error: unknown) =>
    log.debug({ err: error, apiKeyId: id }, 'the use of a key could not be recorded'),
  )
}
