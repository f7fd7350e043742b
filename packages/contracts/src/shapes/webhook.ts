import { z } from 'zod'
import { Timestamp } from './common.ts'

/** The events that webhook endpoints can subscribe to (docs/contract.md). */
export const WEBHOOK_TYPES = [
  'product.updated',
  'product.deleted',
  'inventory.updated',
  'category.updated',
  'settings.updated',
  'order.paid',
  'order.fulfilled',
] as const
export const WebhookType = z.enum(WEBHOOK_TYPES)
export type WebhookType = z.output<typeof WebhookType>

/** A test event that a merchant can send to an endpoint; endpoints do not subscribe to it. */
export const WEBHOOK_TEST_TYPE = 'webhook.test'

const slug = z.string().describe('Use it with `GET /products/{slug}`, until the product is deleted.')

const orderFields = {
  orderId: z.string().describe('Id for `/admin/orders/{id}`.'),
  number: z.string().describe('Number of the order, as the buyer sees it.'),
}

function payload<const Type extends WebhookType | typeof WEBHOOK_TEST_TYPE, Fields extends z.ZodRawShape>(
  type: Type,
  fields: Fields,
) {
  return z.strictObject({
    id: z.string().describe('Id of the event: the same at every attempt, and that of the header webhook-id.'),
    type: z.literal(type).describe('Type of the event; the other fields depend on it.'),
    at: Timestamp.describe('When it happened, ISO 8601 UTC.'),
    ...fields,
  })
}

/** The payload for each type: these fields and no others. */
export const WEBHOOK_PAYLOADS = {
  'product.updated': payload('product.updated', {
    slug: z
      .string()
      .describe(
        'The current or last slug of the product; `*` when more than a hundred products or quantities changed at once.',
      ),
  }),
  'product.deleted': payload('product.deleted', { slug }),
  'inventory.updated': payload('inventory.updated', {
    slug,
    variantId: z.string().describe('The variant whose stock changed.'),
    inventory: z.int().nonnegative().describe('How many can be bought now; units that checkouts hold are not counted.'),
    available: z.boolean().describe('Whether at least one can be bought now.'),
  }),
  'category.updated': payload('category.updated', {
    slug: z
      .string()
      .describe('The slug of the category or collection; `*` when more than a hundred were saved or deleted at once.'),
  }),
  'settings.updated': payload('settings.updated', {}),
  'order.paid': payload('order.paid', orderFields),
  'order.fulfilled': payload('order.fulfilled', orderFields),
} as const satisfies Record<WebhookType, z.ZodType>

export const WebhookTestPayload = payload(WEBHOOK_TEST_TYPE, {})

export const WebhookPayload = z.discriminatedUnion('type', [
  WEBHOOK_PAYLOADS['product.updated'],
  WEBHOOK_PAYLOADS['product.deleted'],
  WEBHOOK_PAYLOADS['inventory.updated'],
  WEBHOOK_PAYLOADS['category.updated'],
  WEBHOOK_PAYLOADS['settings.updated'],
  WEBHOOK_PAYLOADS['order.paid'],
  WEBHOOK_PAYLOADS['order.fulfilled'],
])
export type WebhookPayload = z.output<typeof WebhookPayload>
