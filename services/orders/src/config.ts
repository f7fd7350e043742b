import { z } from 'zod'
import { SecretsKeys, ServiceConfig, WebhookSecret } from '@storefront/chassis'

export const OrdersConfig = ServiceConfig.extend({
  DATABASE_URL: z.string().min(1),
  DATABASE_POOL: z.coerce.number().int().min(2).max(50).default(10),
  /** Address of the shop as its customers write it, with the base path. */
  PUBLIC_URL: z.url().default('http://localhost:8080'),
  /** Signs what the demo provider is told from outside, as a test does; without it nothing from there is believed. */
  DEMO_WEBHOOK_SECRET: WebhookSecret.optional(),
  /** Storefront and service on different sites: the browser's cookie then needs SameSite=None and https. */
  COOKIE_CROSS_SITE: z.enum(['true', 'false']).default('false'),
  /** How long goods stay held for a checkout that says nothing more. */
  RESERVATION_TTL_SECONDS: z.coerce.number().int().min(1).max(86_400).default(600),
  /** How long a buyer may take at a payment provider; the goods stay held a little longer. Stripe takes no less than 30 minutes. */
  PAYMENT_SESSION_TTL_SECONDS: z.coerce.number().int().min(60).max(80_000).default(1800),
  ...SecretsKeys.shape,
})
export type OrdersConfig = z.output<typeof OrdersConfig>
