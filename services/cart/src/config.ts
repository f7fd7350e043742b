import { z } from 'zod'
import { BrowserCookieConfig } from '@storefront/http'
import { ServiceConfig } from '@storefront/service'

export const CartConfig = ServiceConfig.extend({
  DATABASE_URL: z.string().min(1),
  DATABASE_POOL: z.coerce.number().int().min(2).max(50).default(10),
  REDIS_URL: z.string().min(1),
  ...BrowserCookieConfig.shape,
  /** Key for the hashes of the mailboxes of buyers who redeemed a discount: the same for all replicas. */
  BUYER_HASH_KEY: z.string().min(16),
  /** The previous key, needed while discounts with a limit per customer were redeemed under it. */
  BUYER_HASH_KEY_PREVIOUS: z.string().min(16).optional(),
  /** Days after the last write until a cart is deleted. */
  CART_TTL_DAYS: z.coerce.number().int().min(1).max(365).default(30),
})
export type CartConfig = z.output<typeof CartConfig>
