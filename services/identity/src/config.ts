import { z } from 'zod'
import { DatabaseServiceConfig } from '@storefront/service'
import { SETTINGS, WebAddress } from '@storefront/contracts/settings'

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

export const IdentityConfig = DatabaseServiceConfig.extend({
  ...SETTINGS.identity,
  REDIS_URL: z.string().min(1),
  /** Public address of the shop, with the base path. */
  PUBLIC_URL: WebAddress,
  /** Tests that sign in often use the lowest cost, at which an attacker can guess a thousand times as fast. */
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
