import type { PriceSettings } from '@storefront/contracts'

/** What catalog replies about the shop: its payments are simulated unless a test says otherwise. */
export function priceSettings(more: Partial<PriceSettings> = {}): PriceSettings {
  return {
    version: 1,
    currency: 'USD',
    locale: 'en-US',
    commerce: {},
    checkoutMode: 'demo',
    checkoutProvider: 'demo',
    numberPrefix: 'SF-',
    storeName: 'Shop',
    restockOnRefund: true,
    ...more,
  }
}
