import { z } from 'zod'
import { SecretsKeys, DatabaseServiceConfig } from '@storefront/service'
import { readEmailAddress, type EmailAddress } from '@storefront/contracts'

const MIN_ADMIN_PASSWORD_LENGTH = 12
const WELL_KNOWN_PASSWORDS = new Set([
  'admin',
  'password',
  'changeme',
  'administrator',
  'adminadminadmin',
  'password1234',
  'password12345',
  'passwordpassword',
  'changeme1234',
  'changemechangeme',
  '123456789012',
])

function emailAddress(text: string, context: z.RefinementCtx): EmailAddress {
  const address = readEmailAddress(text)
  if (address) return address
  context.addIssue({ code: 'custom', message: 'must be an email address' })
  return z.NEVER
}

const webAddress = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''))

export const IdentityConfig = DatabaseServiceConfig.extend({
  REDIS_URL: z.string().min(1),
  ADMIN_EMAIL: z.string().transform(emailAddress),
  ADMIN_PASSWORD: z.string().min(1),
  /**
   * The gateway's limit per address; twice as many wrong passwords of one account are checked in a quarter of an hour.
   */
  RATE_LIMIT_AUTH: z.coerce.number().int().min(0).max(1_000_000_000).default(10),
  ...SecretsKeys.shape,
  /** Public address of the shop, with the base path. */
  PUBLIC_URL: webAddress,
  /**
   * Base of the links in mails, for a storefront with pages of its own; without it, the pages that come with the shop.
   */
  ACCOUNT_URL: webAddress.optional(),
  /** The age at which the key that signs tokens is replaced; 0 for never. */
  SIGNING_KEY_DAYS: z.coerce.number().int().min(0).max(3650).default(90),
  /** Tests that sign in often use the lowest, which an attacker can guess a thousand times as fast. */
  PASSWORD_HASH_COST: z.enum(['standard', 'lowest']).default('standard'),
}).superRefine((config, context) => {
  if (config.APP_ENV !== 'production') return
  if (config.PASSWORD_HASH_COST !== 'standard') {
    context.addIssue({ code: 'custom', path: ['PASSWORD_HASH_COST'], message: 'must be standard in production' })
  }
  const reject = (message: string) => context.addIssue({ code: 'custom', path: ['ADMIN_PASSWORD'], message })
  const password = config.ADMIN_PASSWORD.toLowerCase()
  if (WELL_KNOWN_PASSWORDS.has(password) || password === config.ADMIN_EMAIL.canonical) {
    reject('is a common password: choose another one')
  } else if (config.ADMIN_PASSWORD.length < MIN_ADMIN_PASSWORD_LENGTH) {
    reject(`must be at least ${MIN_ADMIN_PASSWORD_LENGTH} characters in production`)
  }
})
export type IdentityConfig = z.output<typeof IdentityConfig>
