import { z } from 'zod'
import { SecretsKeys, ServiceConfig, WebhookSecret } from '@storefront/chassis'

const milliseconds = z.coerce.number().int().min(100).max(600_000)

const mailsPerHour = z.coerce.number().int().min(0).max(1_000_000).optional()

const webAddress = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''))

export const NotifierConfig = ServiceConfig.extend({
  DATABASE_URL: z.string().min(1),
  DATABASE_POOL: z.coerce.number().int().min(2).max(50).default(10),
  /** Address of the shop as its customers write it, with the base path: pictures in mails lie below it. */
  PUBLIC_URL: webAddress.default('http://localhost:8080'),
  /** Address of the storefront; its cache is purged at /api/revalidate, and mails link to its page of an order. */
  STOREFRONT_URL: webAddress,
  /** Signs until a merchant hands over another. */
  STOREFRONT_WEBHOOK_SECRET: WebhookSecret,
  ...SecretsKeys.shape,
  /**
   * `smtp://` or `smtps://` with name and password if needed; a password that a merchant hands over takes the place of
   * this one, and the mail server of a merchant's settings that of the whole. Without any mails wait.
   */
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  /** How long a mail server may take to be connected, and how long to greet. */
  SMTP_TIMEOUT_MS: milliseconds.default(10_000),
  MAIL_FROM: z.string().min(3).default('Shop <shop@example.com>'),
  /**
   * Mails an hour that strangers may cause, three times as many in a day: to one mailbox, by one browser or account, and from one
   * network; 0 is no limit. Off when the gateway counts no requests.
   */
  MAILS_PER_RECIPIENT: mailsPerHour,
  MAILS_PER_SENDER: mailsPerHour,
  MAILS_PER_NETWORK: mailsPerHour,
  RATE_LIMIT_GENERAL: z.coerce.number().int().min(0).max(1_000_000_000).default(600),
  WEBHOOK_ALLOW_PRIVATE: z.enum(['true', 'false']).optional(),
  /** From the first byte of the connection to the last byte read. */
  WEBHOOK_TIMEOUT_MS: milliseconds.default(10_000),
  /** How long after a copy died its work is taken up by another; a living copy renews its claims. */
  CLAIM_LEASE_MS: milliseconds.default(30_000),
}).transform(({ WEBHOOK_ALLOW_PRIVATE: allow, ...config }) => ({
  ...config,
  WEBHOOK_ALLOW_PRIVATE: allow === undefined ? config.APP_ENV === 'development' : allow === 'true',
}))
export type NotifierConfig = z.output<typeof NotifierConfig>
