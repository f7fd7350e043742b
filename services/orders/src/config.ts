import { z } from 'zod'
import { BrowserCookieConfig } from '@storefront/http'
import { SecretsKeys, DatabaseServiceConfig, StorefrontOrigins } from '@storefront/service'
import { WebhookSecret } from '@storefront/credentials'

const webAddress = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''))

const percent = z.coerce.number().int().min(1).max(100)

export const OrdersConfig = DatabaseServiceConfig.extend({
  ...BrowserCookieConfig.shape,
  /** Buyers may be redirected to pages of these origins, and of that of STOREFRONT_URL. */
  STOREFRONT_ORIGINS: StorefrontOrigins,
  STOREFRONT_URL: webAddress.default('http://localhost:5173'),
  /** Signs webhooks that a test sends to the demo provider over HTTP; without it every such webhook is rejected. */
  DEMO_WEBHOOK_SECRET: WebhookSecret.optional(),
  /** How long goods stay reserved for a checkout without payment page. */
  RESERVATION_TTL_SECONDS: z.coerce.number().int().min(1).max(86_400).default(600),
  /**
   * How long a buyer may take at a payment provider; the goods stay reserved a little longer. Stripe accepts no less
   * than 30 minutes.
   */
  PAYMENT_SESSION_TTL_SECONDS: z.coerce.number().int().min(60).max(80_000).default(1800),
  ...SecretsKeys.shape,
  /**
   * Used without SECRETS_KEY: encrypts the access tokens in responses stored for idempotency keys, and derives those
   * in the links of mails.
   */
  KEPT_ANSWERS_KEY: SecretsKeys.shape.SECRETS_KEY,
  // For a merchant without credentials of their own.
  RAZORPAY_KEY_ID: z.string().min(1).optional(),
  RAZORPAY_KEY_SECRET: z.string().min(1).optional(),
  RAZORPAY_WEBHOOK_SECRET: z.string().min(1).optional(),
  STRIPE_SECRET_KEY: z.string().min(1).optional(),
  STRIPE_WEBHOOK_SECRET: z.string().min(1).optional(),
  RAZORPAY_BASE_URL: webAddress.default('https://api.razorpay.com'),
  STRIPE_BASE_URL: webAddress.default('https://api.stripe.com'),
  /** From the first byte of a call to a payment provider to the last byte of its response. */
  PAYMENT_TIMEOUT_MS: z.coerce.number().int().min(100).max(60_000).default(8000),
  /** Unpaid checkouts at a time, of one browser or one account; 0 is no limit. */
  UNPAID_CHECKOUTS_PER_BUYER: z.coerce.number().int().min(0).max(1_000_000).default(5),
  /** The same for one network address, which many buyers may share. Off when the gateway has no rate limits. */
  UNPAID_CHECKOUTS_PER_ADDRESS: z.coerce.number().int().min(0).max(1_000_000).optional(),
  /**
   * Percentage of a variant's stock that one buyer may hold without payment, and that all buyers together may; 100 is
   * no limit.
   */
  UNPAID_STOCK_PERCENT_PER_BUYER: percent.default(50),
  UNPAID_STOCK_PERCENT: percent.default(80),
  RATE_LIMIT_GENERAL: z.coerce.number().int().min(0).max(1_000_000_000).default(600),
  /** The gateway's limit per address and minute. Without a limit there, lookups of one order are not limited either. */
  RATE_LIMIT_LOOKUP: z.coerce.number().int().min(0).max(1_000_000_000).default(5),
})
export type OrdersConfig = z.output<typeof OrdersConfig>
