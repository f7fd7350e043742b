import { z } from 'zod'
import { BrowserCookieConfig, SecretsKeys, ServiceConfig, StorefrontOrigins, WebhookSecret } from '@storefront/chassis'

const webAddress = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''))

const percent = z.coerce.number().int().min(1).max(100)

export const OrdersConfig = ServiceConfig.extend({
  DATABASE_URL: z.string().min(1),
  DATABASE_POOL: z.coerce.number().int().min(2).max(50).default(10),
  ...BrowserCookieConfig.shape,
  /** Buyers are sent back to pages of these origins, and of that of STOREFRONT_URL. */
  STOREFRONT_ORIGINS: StorefrontOrigins,
  STOREFRONT_URL: webAddress.default('http://localhost:5173'),
  /** Signs what the demo provider is told from outside, as a test does; without it nothing from there is believed. */
  DEMO_WEBHOOK_SECRET: WebhookSecret.optional(),
  /** How long goods stay held for a checkout that says nothing more. */
  RESERVATION_TTL_SECONDS: z.coerce.number().int().min(1).max(86_400).default(600),
  /** How long a buyer may take at a payment provider; the goods stay held a little longer. Stripe takes no less than 30 minutes. */
  PAYMENT_SESSION_TTL_SECONDS: z.coerce.number().int().min(60).max(80_000).default(1800),
  ...SecretsKeys.shape,
  /**
   * Where there is no SECRETS_KEY: seals the access tokens in answers that are kept for idempotency keys, and makes those in
   * the links of mails.
   */
  KEPT_ANSWERS_KEY: SecretsKeys.shape.SECRETS_KEY,
  // For a merchant who handed over none of his own.
  RAZORPAY_KEY_ID: z.string().min(1).optional(),
  RAZORPAY_KEY_SECRET: z.string().min(1).optional(),
  RAZORPAY_WEBHOOK_SECRET: z.string().min(1).optional(),
  STRIPE_SECRET_KEY: z.string().min(1).optional(),
  STRIPE_WEBHOOK_SECRET: z.string().min(1).optional(),
  RAZORPAY_BASE_URL: webAddress.default('https://api.razorpay.com'),
  STRIPE_BASE_URL: webAddress.default('https://api.stripe.com'),
  /** From the first byte of a call to a payment provider to the last byte of its answer. */
  PAYMENT_TIMEOUT_MS: z.coerce.number().int().min(100).max(60_000).default(8000),
  /** Checkouts that wait for their payment at a time, of one browser or one account; 0 is no limit. */
  UNPAID_CHECKOUTS_PER_BUYER: z.coerce.number().int().min(0).max(1_000_000).default(5),
  /** The same of one network address, which many buyers may share. Off when the gateway counts no requests. */
  UNPAID_CHECKOUTS_PER_ADDRESS: z.coerce.number().int().min(0).max(1_000_000).optional(),
  /** Percent of a variant's stock that one buyer may hold without having paid, and that all of them may; 100 is no limit. */
  UNPAID_STOCK_PERCENT_PER_BUYER: percent.default(50),
  UNPAID_STOCK_PERCENT: percent.default(80),
  RATE_LIMIT_GENERAL: z.coerce.number().int().min(0).max(1_000_000_000).default(600),
  /** What the gateway allows one address a minute. Without a limit there, lookups of one order are not counted either. */
  RATE_LIMIT_LOOKUP: z.coerce.number().int().min(0).max(1_000_000_000).default(5),
})
export type OrdersConfig = z.output<typeof OrdersConfig>
