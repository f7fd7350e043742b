import type { BoardSettings } from '@storefront/contracts'
import type { Settings } from './settings.queries.ts'

export const DEFAULT_CURRENCY = 'USD'

export function currencyOf(settings: Settings): string {
  return settings.document.pricing?.currency ?? DEFAULT_CURRENCY
}

/** The part of the configuration that prices carts and rules checkouts, with what holds when a merchant set nothing. */
export function boardSettingsOf(settings: Settings): BoardSettings {
  const { document, version } = settings
  const razorpayKeyId = document.checkout?.razorpayKeyId ?? ''
  return {
    version,
    currency: currencyOf(settings),
    locale: document.pricing?.locale ?? 'en-US',
    commerce: document.commerce ?? {},
    checkoutMode: document.checkout?.mode ?? 'demo',
    numberPrefix: document.orders?.numberPrefix ?? 'SF-',
    checkoutProvider: document.checkout?.provider ?? 'demo',
    storeName: document.store?.name ?? '',
    restockOnRefund: document.checkout?.restockOnRefund ?? true,
    ...(razorpayKeyId === '' ? {} : { razorpayKeyId }),
  }
}
