import { replyTo } from '@storefront/messaging'
import {
  CREDENTIAL_KEYS,
  CREDENTIAL_READERS,
  CredentialKey,
  ReadNotifierCredentials,
  ReadOrdersCredentials,
} from '@storefront/contracts'
import type { IdentityContext } from '../context.ts'
import type { Connection } from '../database.ts'
import { PREVIOUS_KEPT_MS } from './credential.ts'
import { listReplaced, listEncrypted } from './credentials.queries.ts'

type Reader = (typeof CREDENTIAL_READERS)[CredentialKey]

/**
 * Gives each service its credentials, encrypted as they are stored. NATS lets each service send only its own request.
 */
export function replyToReadCredentials(context: IdentityContext): void {
  const { db, clock } = context
  replyTo(context, ReadOrdersCredentials, () => credentialsOf(db, 'orders', clock.now()))
  replyTo(context, ReadNotifierCredentials, () => credentialsOf(db, 'notifier', clock.now()))
}

async function credentialsOf(connection: Connection, reader: Reader, now: Date) {
  const keys = CREDENTIAL_KEYS.filter((key) => CREDENTIAL_READERS[key] === reader)
  const stored = await listEncrypted(connection, keys)
  const replaced = await listReplaced(connection, keys, new Date(now.getTime() - PREVIOUS_KEPT_MS))
  return {
    credentials: stored.map(({ key, sealed: encrypted, updated_at: updatedAt }) => ({
      key: CredentialKey.parse(key),
      sealed: encrypted,
      updatedAt: updatedAt.toISOString(),
    })),
    replaced: replaced.map(({ key, sealed: encrypted, replaced_at }) => ({
      key: CredentialKey.parse(key),
      sealed: encrypted,
      replacedAt: replaced_at.toISOString(),
    })),
  }
}
