import type { Credentials } from '@storefront/chassis'
import type { CredentialKey } from '@storefront/contracts'

/** A secret of a provider: the merchant's own, or else the operator's. One that was replaced counts no more, at once. */
export type ProviderSecret = () => string | undefined

export function providerSecret(
  credentials: Pick<Credentials, 'get'>,
  key: CredentialKey,
  fromEnvironment: string | undefined,
): ProviderSecret {
  return () => credentials.get(key) ?? fromEnvironment
}
