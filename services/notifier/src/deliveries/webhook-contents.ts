import type { z } from 'zod'
import type {
  CategoryUpdated,
  InventoryUpdated,
  OrderPaid,
  ProductDeleted,
  ProductUpdated,
  SettingsUpdated,
} from '@storefront/contracts'

/** What endpoints receive of an event. */
export interface WebhookContent {
  /** Fields beside id, type and at, as WebhookPayload has them. */
  fields: Record<string, string | number | boolean>
  /**
   * Deliveries about one subject are sent one at a time. Missing where the order does not matter, because every event
   * has the same content: then deliveries of a long backlog do not wait for each other.
   */
  subject?: string
  /** The version of the subject; an event older than the latest known version is not sent. */
  version?: number
  /** Whether a newer event on the subject contains everything that this one does. */
  mergeable?: boolean
}

type DataOf<Event extends { data: z.ZodType }> = z.output<Event['data']>

/** A former address must not merge with the current one: both pages are out of date. */
export function productUpdated({ productId, slug, version, former }: DataOf<typeof ProductUpdated>): WebhookContent {
  const subject = former ? `product:${productId}:${slug}` : `product:${productId}`
  return { fields: { slug }, subject, version, mergeable: true }
}

/** Never merged: it is the final event of a product. */
export function productDeleted({ productId, slug, version }: DataOf<typeof ProductDeleted>): WebhookContent {
  return { fields: { slug }, subject: `product:${productId}`, version }
}

export function inventoryUpdated(data: DataOf<typeof InventoryUpdated>): WebhookContent {
  const { slug, variantId, inventory, available, version } = data
  return {
    fields: { slug, variantId, inventory, available },
    subject: `variant:${variantId}`,
    version,
    mergeable: true,
  }
}

export function categoryUpdated({ slug }: DataOf<typeof CategoryUpdated>): WebhookContent {
  return { fields: { slug } }
}

export function settingsUpdated(_data: DataOf<typeof SettingsUpdated>): WebhookContent {
  return { fields: {} }
}

/** For all events about an order: a receiver reads the order itself. */
export function aboutOrder({ orderId, number }: DataOf<typeof OrderPaid>): WebhookContent {
  return { fields: { orderId, number }, subject: `order:${orderId}` }
}
