import { z } from 'zod'
import { BrowserCookieConfig, ServiceConfig } from '@storefront/chassis'

export const CartConfig = ServiceConfig.extend({
  DATABASE_URL: z.string().min(1),
  DATABASE_POOL: z.coerce.number().int().min(2).max(50).default(10),
  REDIS_URL: z.string().min(1),
  ...BrowserCookieConfig.shape,
  /** Days after the last write until a cart is gone. */
  CART_TTL_DAYS: z.coerce.number().int().min(1).max(365).default(30),
})
export type CartConfig = z.output<typeof CartConfig>
