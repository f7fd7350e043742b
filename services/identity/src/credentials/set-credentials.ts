import { sendSignal } from '@storefront/messaging'
import { transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import type { Encryption } from '@storefront/service'
import { CREDENTIAL_KEYS, CredentialKey, CredentialsChanged } from '@storefront/contracts'
import { reauthenticateByCode, reauthenticateUnlessRecent } from '../admins/re-authenticate.ts'
import type { IdentityContext } from '../context.ts'
import { originOf } from '../audit/origin.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Tx } from '../database.ts'
import { unknownCredential } from '../errors.ts'
import { adminOf } from '../sessions/caller.ts'
import {
  CredentialList,
  CredentialsChange,
  decryptCredential,
  showCredentials,
  USED_BESIDE_SUCCESSOR,
} from './credential.ts'
import {
  clearCredential,
  listCredentials,
  listEncrypted,
  lockCredentials,
  saveCredential,
} from './credentials.queries.ts'

export function setCredentialsRoute(app: App, context: IdentityContext): void {
  const { db, encryptions, messaging, verifyActor, clock } = context
  app.post('/admin/credentials', {
    config: {
      access: { admin: 'credentials:write' },
      errors: ['invalid_credentials', 'missing_credentials', 'unknown_credential'],
    },
    schema: {
      summary: 'Set credentials, or remove them with an empty value',
      description:
        'Only the credentials that are sent change; the response lists all credentials without their values. An unknown name ' +
        'is `unknown_credential`, and then nothing is stored. A session that was opened more than 15 minutes ago requires ' +
        'your own password as `currentPassword`, and a `code` if your second factor is on: otherwise a stolen session could redirect ' +
        'the payments of the shop.',
      body: CredentialsChange,
      response: { 200: CredentialList },
    },
    handler: async (request) => {
      const { currentPassword, code, ...values } = request.body
      const change = knownOnly(values)
      const operation = { action: 'change_credentials', origin: originOf(request, verifyActor) } as const
      const person = await reauthenticateUnlessRecent(context, request.actor, { currentPassword, code }, operation)
      const at = clock.now()
      const result = await transaction(db, async (tx) => {
        const error = person && (await reauthenticateByCode(tx, person, context, at))
        if (error) return { error }
        await lockCredentials(tx)
        for (const [key, value] of change) await setCredential(tx, encryptions.credentials, key, value, at)
        await recordAudit(tx, {
          ...operation,
          actor: adminOf(request.actor).userId,
          fields: [...change.keys()],
          at,
        })
        return { list: await listCredentials(tx) }
      })
      if (result.error) throw result.error
      sendSignal(messaging, CredentialsChanged, {})
      return showCredentials(result.list, encryptions.credentials)
    },
  })
}

/** @throws HttpError that names the unknown credentials */
function knownOnly(body: Record<string, unknown>): Map<CredentialKey, string> {
  const unknown = Object.keys(body).filter((key) => !CredentialKey.safeParse(key).success)
  if (unknown.length > 0) throw unknownCredential(unknown)
  return new Map(
    CREDENTIAL_KEYS.flatMap((key): [CredentialKey, string][] => {
      const value = body[key]
      return typeof value === 'string' ? [[key, value]] : []
    }),
  )
}

async function setCredential(
  tx: Tx,
  encryption: Encryption | undefined,
  key: CredentialKey,
  value: string,
  now: Date,
): Promise<void> {
  const [before] = await listEncrypted(tx, [key])
  const known = before && decryptCredential(encryption, key, before.sealed)
  // An unchanged value is not stored again, because it would become its own previous value. The password of the mail
  // server is: its new time shows notifier that a merchant accepts a new host for it.
  if (value !== '' && known === value && key !== 'smtpPassword') return
  const previous = before && known !== undefined && USED_BESIDE_SUCCESSOR.includes(key) ? before.sealed : null
  if (value === '') return clearCredential(tx, key, previous, now)
  await saveCredential(tx, key, { sealed: encryption?.encrypt(value, key) ?? null, previous }, now)
}
