import type { Credentials } from '@storefront/credentials'
import type { CredentialKey } from '@storefront/contracts'

/** A provider's secret: the merchant's own, or else the operator's. A replaced one is invalid at once. */
export type ProviderSecret = () => string | undefined

export function providerSecret(
  credentials: Pick<Credentials, 'get'>,
  key: CredentialKey,
  fromEnvironment: string | undefined,
): ProviderSecret {
  return () => credentials.get(key) ?? fromEnvironment
}
