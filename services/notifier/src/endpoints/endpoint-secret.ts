import { randomBytes } from 'node:crypto'
import {
  createSeal,
  isSealedAsItShould,
  openSecret,
  storeSecret,
  WebhookSecret,
  type Seal,
  type SecretsKeys,
  type StoredSecret,
} from '@storefront/chassis'

const PURPOSE = 'storefront notifier endpoint secrets'
const SECRET_BYTES = 32

export function createEndpointSeal(keys: SecretsKeys): Seal | undefined {
  return createSeal(keys, PURPOSE)
}

export function generateEndpointSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
}

/** @returns the stored form */
export function closeEndpointSecret(seal: Seal | undefined, secret: string, endpointId: string): string {
  return storeSecret(seal, secret, endpointId).secret
}

/** @throws Error when it was encrypted under a SECRETS_KEY that is missing */
export function openEndpointSecret(seal: Seal | undefined, stored: string, endpointId: string): string {
  return openSecret(seal, asStored(stored), endpointId)
}

/** @returns the secret encrypted again; undefined when its stored form is current */
export function resealedEndpointSecret(seal: Seal | undefined, stored: string, endpointId: string): string | undefined {
  if (isSealedAsItShould(seal, asStored(stored), endpointId)) return undefined
  return closeEndpointSecret(seal, openEndpointSecret(seal, stored, endpointId), endpointId)
}

/** An encrypted value has a dot between the name of its key and the rest, and no secret has one. */
function asStored(stored: string): StoredSecret {
  return { secret: stored, sealed_with: WebhookSecret.safeParse(stored).success ? 'nothing' : 'aes-256-gcm' }
}
