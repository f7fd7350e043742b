import { z } from 'zod'
import { SecretsKeys, ServiceConfig } from '@storefront/chassis'

const webAddress = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''))

export const OrdersConfig = ServiceConfig.extend({
  DATABASE_URL: z.string().min(1),
  DATABASE_POOL: z.coerce.number().int().min(2).max(50).default(10),
  /** Storefront and service on different sites: the browser's cookie then needs SameSite=None and https. */
  COOKIE_CROSS_SITE: z.enum(['true', 'false']).default('false'),
  /** How long goods stay held for a checkout that says nothing more. */
  RESERVATION_TTL_SECONDS: z.coerce.number().int().min(1).max(86_400).default(600),
  /** The shop's address as its customers write it, with the base path. */
  PUBLIC_URL: webAddress.default('http://localhost:8080'),
  ...SecretsKeys.shape,
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
})
export type OrdersConfig = z.output<typeof OrdersConfig>
