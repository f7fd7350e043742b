import { z } from 'zod'
import { BrowserCookieConfig } from '@storefront/http'
import { DatabaseServiceConfig } from '@storefront/service'
import { SETTINGS } from '@storefront/contracts/settings'

export const CartConfig = DatabaseServiceConfig.extend({
  ...BrowserCookieConfig.shape,
  ...SETTINGS.cart,
  REDIS_URL: z.string().min(1),
  /**
   * Key for the hashes of the mailboxes of buyers who redeemed a discount: the same for all replicas. The previous key
   * is needed as long as a discount with a limit per customer has redemptions that were hashed with it.
   */
  BUYER_HASH_KEY: z.string().min(16),
})
export type CartConfig = z.output<typeof CartConfig>
