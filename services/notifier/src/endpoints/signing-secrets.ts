import type { Clock, Log, Encryption } from '@storefront/service'
import { STOREFRONT_ENDPOINT_ID } from './endpoint.ts'
import { decryptEndpointSecret } from './endpoint-secret.ts'
import type { StoredEndpoint } from './endpoints.queries.ts'

type EncryptedSecrets = Pick<StoredEndpoint, 'id' | 'secret' | 'previous_secret' | 'previous_until'>

/** The secrets that sign a delivery to an endpoint now, newest first; undefined when its secret cannot be decrypted. */
export type SigningSecrets = (endpoint: EncryptedSecrets) => readonly string[] | undefined

/** @param options.storefront the secrets from the configuration and the credentials for the storefront's endpoint */
export function signingSecrets(options: {
  encryption: Encryption | undefined
  clock: Clock
  log: Log
  storefront: () => readonly string[]
}): SigningSecrets {
  const { encryption, clock, log, storefront } = options
  const reported = new Map<string, string>()

  function open(stored: string, id: string): string | undefined {
    try {
      return decryptEndpointSecret(encryption, stored, id)
    } catch (error) {
      // Once for each value, not once for each delivery.
      if (reported.get(id) !== stored) {
        log.error(
          { err: error, endpoint: id },
          'a secret of a webhook endpoint cannot be decrypted: deliveries wait; rotate it or restore its SECRETS_KEY',
        )
      }
      reported.set(id, stored)
      return undefined
    }
  }

  return ({ id, secret, previous_secret: previous, previous_until: until }) => {
    if (id === STOREFRONT_ENDPOINT_ID) return storefront()
    const current = secret === null ? undefined : open(secret, id)
    if (current === undefined) return undefined
    const former = previous !== null && until !== null && until > clock.now() ? open(previous, id) : undefined
    return former === undefined ? [current] : [current, former]
  }
}
