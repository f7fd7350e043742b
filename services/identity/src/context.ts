import type { Connections } from '@storefront/service-start'
import type { LinkTokens } from './confirmations/link-tokens.ts'
import type { IdentityTables } from './database.ts'
import type { PasswordHasher } from './passwords/password-hasher.ts'
import type { Encryptions } from './secrets/encryptions.ts'
import type { Revocations } from './sessions/revoked.ts'
import type { Tokens } from './tokens/tokens.ts'

/** The dependencies of this service's operations; each names the part that it needs. */
export interface IdentityContext extends Connections<IdentityTables> {
  passwords: PasswordHasher
  /** How many wrong passwords of one account are checked within the window; undefined for no limit. */
  passwordAttempts: number | undefined
  tokens: Tokens
  revocations: Revocations
  /** The key that the links in mails are signed with. */
  links: LinkTokens
  encryptions: Encryptions
  /** The age at which the key that signs tokens is replaced; 0 for never. */
  signingKeyDays: number
  /** Public address of the shop, with the base path. */
  publicUrl: string
  /** Base of the links in mails. */
  accountUrl: string
}
