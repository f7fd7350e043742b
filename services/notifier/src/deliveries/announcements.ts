import type { z } from 'zod'
import type {
  CategoryUpdated,
  InventoryUpdated,
  OrderFulfilled,
  OrderPaid,
  ProductDeleted,
  ProductUpdated,
  SettingsUpdated,
} from '@storefront/contracts'

/** What the world outside is told of an event. */
export interface Announcement {
  /** Fields beside id, type and at, as WebhookPayload has them. */
  fields: Record<string, string | number | boolean>
  /**
   * What it is about: of one subject one delivery is under way at a time. Left out where any order is as good, because every
   * event says the same: then a long backlog has nothing that waits for something else.
   */
  subject?: string
  /** Of what it is about; a version that is older than one already known is not announced. */
  version?: number
  /** Whether a newer event on the subject says all that this one says. */
  mergeable?: boolean
}

type DataOf<Event extends { data: z.ZodType }> = z.output<Event['data']>

/** A former address must not merge with the present one: both pages are out of date. */
export function productUpdated({ productId, slug, version, former }: DataOf<typeof ProductUpdated>): Announcement {
  const subject = former ? `product:${productId}:${slug}` : `product:${productId}`
  return { fields: { slug }, subject, version, mergeable: true }
}

/** Never merged away: it is the last word on a product. */
export function productDeleted({ productId, slug, version }: DataOf<typeof ProductDeleted>): Announcement {
  return { fields: { slug }, subject: `product:${productId}`, version }
}

export function inventoryUpdated(data: DataOf<typeof InventoryUpdated>): Announcement {
  const { slug, variantId, inventory, available, version } = data
  return {
    fields: { slug, variantId, inventory, available },
    subject: `variant:${variantId}`,
    version,
    mergeable: true,
  }
}

export function categoryUpdated({ slug }: DataOf<typeof CategoryUpdated>): Announcement {
  return { fields: { slug } }
}

export function settingsUpdated(_data: DataOf<typeof SettingsUpdated>): Announcement {
  return { fields: {} }
}

export function orderPaid({ orderId, number }: DataOf<typeof OrderPaid>): Announcement {
  return { fields: { orderId, number }, subject: `order:${orderId}` }
}

export function orderFulfilled({ orderId, number }: DataOf<typeof OrderFulfilled>): Announcement {
  return { fields: { orderId, number }, subject: `order:${orderId}` }
}
