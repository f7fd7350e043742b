import { WEBHOOK_TEST_TYPE, type WebhookType } from '@storefront/contracts'

/** The events that a merchant can send as a test. */
export const TEST_TYPE = WEBHOOK_TEST_TYPE

export type SampleType = WebhookType | typeof TEST_TYPE
type Fields = Record<string, string | number | boolean>

/** Numbers of orders begin at 10001. */
const ORDER = { orderId: 'order_00000000000000000000000000000000', number: 'SF-0' }
const SAMPLES: Record<SampleType, Fields> = {
  [TEST_TYPE]: {},
  'product.updated': { slug: 'sample-product' },
  'product.deleted': { slug: 'sample-product' },
  'inventory.updated': {
    slug: 'sample-product',
    variantId: 'var_00000000000000000000000000000000',
    inventory: 3,
    available: true,
  },
  'category.updated': { slug: 'sample-category' },
  'settings.updated': {},
  'order.paid': ORDER,
  'order.fulfilled': ORDER,
}

/** The fields of a type beside id, type and at, with values that exist nowhere in the shop. */
export function sampleFields(type: SampleType): Fields {
  return SAMPLES[type]
}
