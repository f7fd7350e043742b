import { z } from 'zod'
import { ServiceConfig } from '@storefront/chassis'

export const OrdersConfig = ServiceConfig.extend({
  DATABASE_URL: z.string().min(1),
  DATABASE_POOL: z.coerce.number().int().min(2).max(50).default(10),
  /** Storefront and service on different sites: the browser's cookie then needs SameSite=None and https. */
  COOKIE_CROSS_SITE: z.enum(['true', 'false']).default('false'),
  /** How long goods stay held for a checkout that says nothing more. */
  RESERVATION_TTL_SECONDS: z.coerce.number().int().min(1).max(86_400).default(600),
  /** What the gateway allows one address a minute. Without a limit there, lookups of one order are not counted either. */
  RATE_LIMIT_LOOKUP: z.coerce.number().int().min(0).max(1_000_000_000).default(5),
})
export type OrdersConfig = z.output<typeof OrdersConfig>
