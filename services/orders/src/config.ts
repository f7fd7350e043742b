import type { z } from 'zod'
import { BrowserCookieConfig } from '@storefront/http'
import { DatabaseServiceConfig } from '@storefront/service'
import { SETTINGS } from '@storefront/contracts/settings'

/**
 * The limits per minute are those of the gateway: without them there, lookups of one order and unpaid checkouts are not
 * limited either.
 */
export const OrdersConfig = DatabaseServiceConfig.extend({
  ...BrowserCookieConfig.shape,
  ...SETTINGS.orders,
  /**
   * Used without SECRETS_KEY: encrypts the access tokens in responses stored for idempotency keys, and derives those
   * in the links of mails.
   */
  KEPT_ANSWERS_KEY: SETTINGS.orders.SECRETS_KEY,
})
export type OrdersConfig = z.output<typeof OrdersConfig>
