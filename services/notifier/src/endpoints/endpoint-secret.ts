import { randomBytes } from 'node:crypto'
import { decryptSecret, needsReencryption, storeSecret, type Encryption, type StoredSecret } from '@storefront/service'
import { WebhookSecret } from '@storefront/contracts'

/** The purpose under which the secrets of endpoints are encrypted. */
export const ENDPOINT_SECRETS_PURPOSE = 'storefront notifier endpoint secrets'
const SECRET_BYTES = 32

export function generateEndpointSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
}

/** @returns the stored form */
export function encryptEndpointSecret(encryption: Encryption | undefined, secret: string, endpointId: string): string {
  return storeSecret(encryption, secret, endpointId).secret
}

/** @throws Error when it was encrypted under a SECRETS_KEY that is missing */
export function decryptEndpointSecret(encryption: Encryption | undefined, stored: string, endpointId: string): string {
  return decryptSecret(encryption, asStored(stored), endpointId)
}

/** @returns the secret encrypted again; undefined when its stored form is current */
export function reencryptedEndpointSecret(
  encryption: Encryption | undefined,
  stored: string,
  endpointId: string,
): string | undefined {
  if (!needsReencryption(encryption, asStored(stored), endpointId)) return undefined
  return encryptEndpointSecret(encryption, decryptEndpointSecret(encryption, stored, endpointId), endpointId)
}

/** An encrypted value has a dot between the name of its key and the rest, and no secret has one. */
function asStored(stored: string): StoredSecret {
  return { secret: stored, sealed_with: WebhookSecret.safeParse(stored).success ? 'nothing' : 'aes-256-gcm' }
}
