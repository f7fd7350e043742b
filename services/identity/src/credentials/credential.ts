import { DAY_MS, type Encryption } from '@storefront/service'
import { CREDENTIAL_KEYS, CredentialKey, Timestamp, WebhookSecret } from '@storefront/contracts'
import { z } from 'zod'
import { ReauthenticationFields } from '../admins/re-authenticate.ts'
import type { Row } from '../database.ts'

const MAX_CHARACTERS = 4096

/** The public data of a credential: never its value. */
export const CredentialList = z
  .object({
    items: z
      .array(
        z.object({
          key: CredentialKey.describe('The name to use in POST /admin/credentials.'),
          set: z.boolean().describe('Whether it has a value that the shop can use.'),
          updatedAt: Timestamp.nullable().describe('When it was last set or removed; null if it never was set.'),
        }),
      )
      .describe('Every credential that a shop can have, set or not.'),
    storesSecrets: z
      .boolean()
      .describe('False without a SECRETS_KEY: the shop then records that a value was sent, and discards it.'),
  })
  .meta({ id: 'CredentialList' })
export type CredentialList = z.output<typeof CredentialList>

/** An empty value removes the credential. A message about a value must not repeat it. */
const Value = z
  .string()
  .max(MAX_CHARACTERS, `must have at most ${MAX_CHARACTERS} characters`)
  .regex(/^[^\0\r\n\v\f\u0085\u2028\u2029]*$/, 'must be one line, without NUL characters')

/** A value that is not `whsec_…` would make every delivery fail, long after it was set. */
const WebhookSecretValue = Value.refine(
  (value) => value === '' || WebhookSecret.safeParse(value).success,
  'must be `whsec_` and base64 of 24 to 64 bytes',
)

/** The purpose of each, and its issuer. An empty value removes it. */
const DESCRIPTIONS: Record<CredentialKey, string> = {
  razorpayKeySecret: 'Secret half of the Razorpay API key; its public half is `checkout.publicKey`. Empty removes it.',
  razorpayWebhookSecret: 'Secret of the webhook in the Razorpay dashboard, which signs its requests. Empty removes it.',
  stripeSecretKey: 'Secret API key of Stripe, `sk_…`, for checkouts and refunds. Empty removes it.',
  stripeWebhookSecret: 'Signing secret of the webhook in the Stripe dashboard, `whsec_…`. Empty removes it.',
  smtpPassword: 'Password of the mail server that sends the mails of the shop. Empty removes it.',
  storefrontWebhookSecret:
    'Signs the webhooks to the storefront: `whsec_` and base64 of 24 to 64 bytes. Empty removes it.',
}

/** Accepts any key, so that an unknown one gets the error `unknown_credential`. */
export const CredentialsChange = z.looseObject({
  ...Object.fromEntries(
    CREDENTIAL_KEYS.map((key) => {
      const value = key === 'storefrontWebhookSecret' ? WebhookSecretValue : Value
      return [key, value.optional().describe(DESCRIPTIONS[key])]
    }),
  ),
  ...ReauthenticationFields.shape,
})

/** `sealed` is null when there is no value; the previous one is kept for a day for the keys that need it. */
export type StoredCredential = Row<'credentials'>

/**
 * Their previous value is accepted for a day together with the new one, which the storefront has to receive first. The
 * previous values of all others are deleted, because they may have leaked.
 */
export const USED_BESIDE_SUCCESSOR: readonly CredentialKey[] = ['storefrontWebhookSecret']
export const PREVIOUS_KEPT_MS = DAY_MS

/** All credentials in a fixed order, whether they are set or not. */
export function showCredentials(stored: StoredCredential[], encryption: Encryption | undefined): CredentialList {
  const byKey = new Map(stored.map((credential) => [credential.key, credential]))
  const items = CREDENTIAL_KEYS.map((key) => {
    const credential = byKey.get(key)
    return {
      key,
      set: credential !== undefined && isSet(credential, encryption),
      updatedAt: credential?.updated_at.toISOString() ?? null,
    }
  })
  return { items, storesSecrets: encryption !== undefined }
}

/**
 * A value that was sent without a SECRETS_KEY, or was encrypted under one that is lost, counts as not set, because the
 * shop cannot use it.
 */
function isSet({ key, sealed: encrypted, is_set }: StoredCredential, encryption: Encryption | undefined): boolean {
  if (encrypted === null) return encryption === undefined && is_set
  return decryptCredential(encryption, key, encrypted) !== undefined
}

/** @returns undefined when it cannot be decrypted */
export function decryptCredential(
  encryption: Encryption | undefined,
  key: string,
  encrypted: string,
): string | undefined {
  try {
    return encryption?.decrypt(encrypted, key)
  } catch {
    return undefined
  }
}
