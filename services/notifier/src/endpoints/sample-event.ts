import { WEBHOOK_TEST_TYPE, type WebhookType } from '@storefront/contracts'

/** The events that a merchant can send as a test. */
export type SampleType = WebhookType | typeof WEBHOOK_TEST_TYPE

/** Numbers of orders begin at 10001. */
const ORDER = { orderId: 'order_00000000000000000000000000000000', number: 'SF-0' }
/** The fields of each type beside id, type and at, with values that exist nowhere in the shop. */
export const SAMPLE_FIELDS: Record<SampleType, Record<string, string | number | boolean>> = {
  [WEBHOOK_TEST_TYPE]: {},
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
