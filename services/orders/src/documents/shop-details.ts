import { sendRequest, type Messaging } from '@storefront/messaging'
import { ReadDocumentSettings } from '@storefront/contracts'
import type { StoredOrder } from '../orders/order.ts'

/** What a document of an order says about the shop. An invoice stores it. */
export interface ShopDetails {
  name: string
  /** Lines of its postal address; empty when it has none. */
  address: string[]
  email?: string | undefined
  /** IANA name, in which days are counted. */
  timeZone: string
  /** How the order is delivered, as the shop calls it; empty when it has no name for it. */
  shippingMethod: string
}

/** @throws DependencyUnavailable without a reply from catalog */
export async function readShopDetails(messaging: Messaging, { document }: StoredOrder): Promise<ShopDetails> {
  const settings = await sendRequest(messaging, ReadDocumentSettings, {})
  const { letterheadOf } = await import('@storefront/mail-templates')
  const { name, address } = letterheadOf({
    name: settings.storeName,
    address: settings.storeAddress,
    locale: document.locale,
  })
  const method = settings.shippingMethods.find(({ id }) => id === document.shippingMethod)
  return {
    name,
    address,
    email: settings.storeEmail,
    timeZone: settings.timeZone,
    shippingMethod: method?.label ?? document.shippingMethod,
  }
}
