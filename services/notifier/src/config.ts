import { z } from 'zod'
import { SecretsKeys, DatabaseServiceConfig } from '@storefront/service'
import { WebhookSecret } from '@storefront/credentials'

const milliseconds = z.coerce.number().int().min(100).max(600_000)

const mailsPerHour = z.coerce.number().int().min(0).max(1_000_000).optional()

const webAddress = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''))

export const NotifierConfig = DatabaseServiceConfig.extend({
  /** Public address of the shop, with the base path: images in mails are below it. */
  PUBLIC_URL: webAddress.default('http://localhost:8080'),
  /** Address of the storefront; its cache is purged at /api/revalidate, and mails link to its page of an order. */
  STOREFRONT_URL: webAddress,
  /** Signs webhooks until a merchant sets another secret. */
  STOREFRONT_WEBHOOK_SECRET: WebhookSecret,
  ...SecretsKeys.shape,
  /**
   * `smtp://` or `smtps://` with user name and password if needed; a password that a merchant sets replaces this one,
   * and the mail server in the merchant's settings replaces all of it. Without any mail server, mails wait.
   */
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  /** The timeouts for the connection to a mail server, and for its greeting. */
  SMTP_TIMEOUT_MS: milliseconds.default(10_000),
  MAIL_FROM: z.string().min(3).default('Shop <shop@example.com>'),
  /**
   * Mails an hour that outsiders may cause, three times as many a day: to one mailbox, by one browser or account, and
   * from one network; 0 is no limit. Off when the gateway has no rate limits.
   */
  MAILS_PER_RECIPIENT: mailsPerHour,
  MAILS_PER_SENDER: mailsPerHour,
  MAILS_PER_NETWORK: mailsPerHour,
  RATE_LIMIT_GENERAL: z.coerce.number().int().min(0).max(1_000_000_000).default(600),
  WEBHOOK_ALLOW_PRIVATE: z.enum(['true', 'false']).optional(),
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
