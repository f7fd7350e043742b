import { replyTo } from '@storefront/messaging'
import { CheckSession, ID_PREFIXES } from '@storefront/contracts'
import { findValidApiKeyById } from '../api-keys/api-keys.queries.ts'
import type { IdentityContext } from '../context.ts'
import { isSessionActive } from './sessions.queries.ts'

/** For a gateway that cannot reach Redis or must not trust it: the tables are the source of Redis. */
export function replyToCheckSession(context: IdentityContext): void {
  const { db, clock } = context
  replyTo(context, CheckSession, async ({ sessionId }) => ({
    active: isApiKey(sessionId)
      ? (await findValidApiKeyById(db, sessionId, clock.now())) !== undefined
      : await isSessionActive(db, sessionId, clock.now()),
  }))
}

function isApiKey(id: string): boolean {
  return id.startsWith(`${ID_PREFIXES.apiKey}_`)
}
