import type { Clock, Credentials } from '@storefront/chassis'
import type { CredentialKey } from '@storefront/contracts'

/** How long what was signed with a secret that was replaced may still be under way. */
const BOTH_MS = 24 * 3600 * 1000

export interface ProviderSecrets {
  /** What calls are made with: the merchant's own, or else the operator's. */
  get(): string | undefined
  /** What a signature may have been made with: for a day also the secret before. */
  signing(): string[]
}

/** A process that did not see a secret replaced takes the operator's for the one before. */
export function providerSecrets(
  { credentials, clock }: { credentials: Pick<Credentials, 'get' | 'updatedAt' | 'replaced'>; clock: Clock },
  key: CredentialKey,
  fromEnvironment: string | undefined,
): ProviderSecrets {
  const get = () => credentials.get(key) ?? fromEnvironment
  return {
    get,
    signing() {
      const since = credentials.updatedAt(key)
      const isFresh = since !== undefined && clock.now().getTime() - since.getTime() < BOTH_MS
      const before = isFresh ? (credentials.replaced(key) ?? fromEnvironment) : undefined
      return [...new Set([get(), before].flatMap((secret) => secret ?? []))]
    },
  }
}
