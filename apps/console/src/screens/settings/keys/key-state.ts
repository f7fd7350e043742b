import type { ApiKey } from './keys-queries.ts'

export type KeyState = 'valid' | 'expired' | 'revoked'

export function stateOf({ expiresAt, revokedAt }: ApiKey): KeyState {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'valid'
}
