import { answer } from '@storefront/chassis'
import {
  CREDENTIAL_KEYS,
  CREDENTIAL_READERS,
  CredentialKey,
  ReadNotifierCredentials,
  ReadOrdersCredentials,
} from '@storefront/contracts'
import type { Dependencies } from '../app.ts'
import type { Connection } from '../database.ts'
import { listSealed } from './credentials.queries.ts'

type Reader = (typeof CREDENTIAL_READERS)[CredentialKey]

/** Each service is told what it works with, sealed as it lies in the table. NATS lets each ask its own question alone. */
export function credentialsAnswers(dependencies: Dependencies): void {
  const { db } = dependencies
  answer(dependencies, ReadOrdersCredentials, () => credentialsOf(db, 'orders'))
  answer(dependencies, ReadNotifierCredentials, () => credentialsOf(db, 'notifier'))
}

async function credentialsOf(connection: Connection, reader: Reader) {
  const keys = CREDENTIAL_KEYS.filter((key) => CREDENTIAL_READERS[key] === reader)
  const stored = await listSealed(connection, keys)
  return {
    credentials: stored.map(({ key, sealed, updated_at: updatedAt }) => ({
      key: CredentialKey.parse(key),
      sealed,
      updatedAt: updatedAt.toISOString(),
    })),
  }
}
