import { z } from 'zod'
import { BrowserCookieConfig } from '@storefront/http'
import { DatabaseServiceConfig } from '@storefront/service'

export const CartConfig = DatabaseServiceConfig.extend({
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
