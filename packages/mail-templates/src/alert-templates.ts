import type { AlertMailKind } from '@storefront/contracts'
import { letter } from './account-templates.ts'
import type { WholeTemplate } from './order-templates.ts'

const NAMED = "{{ product.title }}{% if product.options != '' %} ({{ product.options }}){% endif %}"

/** Our text between the greeting and the product. */
export const ALERT_TEMPLATES: Record<AlertMailKind, WholeTemplate> = {
  alertConfirmation: letter(
    'Please confirm your alert for {{ product.title }}',
    `Thank you for your interest in {{ store.name }}. Please confirm that you would like an email when {% if alert.kind == 'price-drop' %}the price of {{ product.title }} falls{% else %}${NAMED} is available again{% endif %}.`,
  ),
  backInStock: letter(
    '{{ product.title }} is available again',
    `You were waiting for ${NAMED}: it is available again.`,
    'We cannot hold it for you, so please order soon if you still want it.',
  ),
  priceDrop: letter(
    '{{ product.title }} now costs {{ product.price }}',
    'The price of {{ product.title }} has fallen{% if product.formerPrice %} from {{ product.formerPrice }}{% endif %} to {{ product.price }}.',
  ),
}
