import {
  CommerceTerms,
  DEFAULT_CURRENCY,
  NotificationSettings,
  type PriceSettings,
  type StorefrontConfiguration,
} from '@storefront/contracts'
import type { Settings } from './settings.queries.ts'

/** No secret has this prefix, and every visitor reads the configuration. */
export const RAZORPAY_KEY_ID = /^rzp_\w+$/

/** The effective settings: the document with defaults in place of unset values. */
interface SettingsInForce extends Omit<PriceSettings, 'version'> {
  takesReviews: boolean
  relatedStrategy: string | undefined
  relatedLimit: number | undefined
  notifications: NotificationSettings
}

/** @returns the meaning of a document; null and the empty text in it mean that the default applies */
export function settingsInForce(document: StorefrontConfiguration): SettingsInForce {
  const { store, pricing, commerce, checkout, orders, features, recommendations, notifications } = document
  const currency = filled(pricing?.currency) ?? DEFAULT_CURRENCY
  const publicKey = filled(checkout?.publicKey)
  return {
    currency,
    locale: filled(pricing?.locale) ?? 'en-US',
    storeName: store?.name ?? '',
    commerce: commerceTermsOf(commerce, currency),
    checkoutMode: filled(checkout?.mode) ?? 'demo',
    checkoutProvider: filled(checkout?.provider) ?? 'demo',
    restockOnRefund: checkout?.restockOnRefund ?? true,
    ...(publicKey !== undefined && RAZORPAY_KEY_ID.test(publicKey) && { razorpayKeyId: publicKey }),
    // An empty prefix is valid: numbers without letters.
    numberPrefix: orders?.numberPrefix ?? 'SF-',
    takesReviews: features?.reviews ?? true,
    relatedStrategy: filled(recommendations?.strategy),
    relatedLimit: recommendations?.limit ?? undefined,
    notifications: NotificationSettings.catch({}).parse(withoutUnset(notifications ?? {})),
  }
}

/** The settings that determine cart prices and the checkout. */
export function priceSettingsOf({ version, document }: Settings): PriceSettings {
  const {
    takesReviews: _reviews,
    relatedStrategy: _strategy,
    relatedLimit: _limit,
    notifications: _mails,
    ...projection
  } = settingsInForce(document)
  return { version, ...projection }
}

/** @returns ISO 4217 code */
export function currencyOf({ document }: Pick<Settings, 'document'>): string {
  return filled(document.pricing?.currency) ?? DEFAULT_CURRENCY
}

/** @returns undefined for a text that is not set */
export function filled(text: string | null | undefined): string | undefined {
  return text === null || text === '' ? undefined : text
}

function commerceTermsOf(commerce: StorefrontConfiguration['commerce'], currency: string): CommerceTerms {
  const { shippingMethods, countries, freeShippingOver, ...others } = commerce ?? {}
  return CommerceTerms.catch({}).parse({
    ...Object(withoutUnset(others)),
    ...(freeShippingOver !== undefined && { freeShippingOver }),
    ...(shippingMethods && {
      shippingMethods: shippingMethods.map(({ price, ...method }) => ({
        ...Object(withoutUnset(method)),
        price: { amount: price, currency },
      })),
    }),
    ...(countries && { countries: countries.map(([code]) => code) }),
  })
}

/** Removes null and empty values, at any depth of objects. */
function withoutUnset(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUnset)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => (each === null || each === '' ? [] : [[key, withoutUnset(each)]])),
  )
}
