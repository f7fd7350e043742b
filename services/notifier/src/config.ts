import { z } from 'zod'
import { DatabaseServiceConfig } from '@storefront/service'
import { PublicUrl, SETTINGS } from '@storefront/contracts/settings'

const milliseconds = z.coerce.number().int().min(100).max(600_000)

export const NotifierConfig = DatabaseServiceConfig.extend({
  ...SETTINGS.notifier,
  /** Public address of the shop, with the base path: images in mails are below it. */
  PUBLIC_URL: PublicUrl,
  /** The timeouts for the connection to a mail server, and for its greeting. */
  SMTP_TIMEOUT_MS: milliseconds.default(10_000),
  /** From the first byte of the connection to the last byte read. */
  WEBHOOK_TIMEOUT_MS: milliseconds.default(10_000),
  /** How long after a replica died another one reclaims its work; a running replica renews its claims. */
  CLAIM_LEASE_MS: milliseconds.default(30_000),
  /** How often a replica looks for retries that have become due; new work wakes it at once. */
  POLL_INTERVAL_MS: milliseconds.default(1000),
}).transform(({ WEBHOOK_ALLOW_PRIVATE: allow, ...config }) => ({
  ...config,
  WEBHOOK_ALLOW_PRIVATE: allow === undefined ? config.APP_ENV === 'development' : allow === 'true',
}))
export type NotifierConfig = z.output<typeof NotifierConfig>
