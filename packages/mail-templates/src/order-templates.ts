import type { OrderMailKind } from '@storefront/contracts'
import { BUTTON_STYLE } from './button.ts'
import { PICTURE_STYLE } from './picture.ts'

export interface WholeTemplate {
  subject: string
  text: string
  html: string
}

const CELL =
  'padding:12px 0;border-bottom:1px solid #dddddd;vertical-align:top;text-align:start;font-weight:normal;overflow-wrap:anywhere;'
const PICTURE_CELL = `${CELL}width:64px;padding-inline-end:12px;`
const AMOUNT = 'width:1%;padding-inline-start:12px;text-align:end;white-space:nowrap;overflow-wrap:normal;'
const SUM = 'padding:4px 0;font-weight:normal;text-align:end;'
const TOTAL = 'padding:4px 0;font-weight:bold;text-align:end;'

const heading = (text: string) => `<h1 style="font-size:24px;line-height:1.25;margin:0 0 8px;">${text}</h1>`
const paragraph = (text: string) => `<p style="margin:0 0 16px;">${text}</p>`
const button = (url: string, label: string) =>
  `<p style="margin:0 0 24px;"><a class="button" href="${url}" style="${BUTTON_STYLE}">${label}</a></p>`
const html = (...parts: readonly string[]) => parts.join('\n')
/** Every text begins with the name of the shop and ends with its address, as every page does. */
const text = (...parts: readonly string[]) => ['{{ store.name }}', ...parts, STORE_TEXT].join('\n\n')

const NUMBER = '{{ order.number }}'
/** Not broken at a hyphen. */
const NUMBER_HTML = `<strong style="white-space:nowrap;">${NUMBER}</strong>`

const STORE_TEXT = `{% if store.address %}{{ store.name }}
{{ store.address }}{% endif %}`

const LINK_TEXT = '{% if order.url %}View your order: {{ order.url }}{% endif %}'
const LINK_BUTTON = `{% if order.url %}${button('{{ order.url }}', 'View your order')}{% endif %}`
/** For mails whose main button is another one. */
const LINK_HTML = `{% if order.url %}${paragraph('<a href="{{ order.url }}" style="color:#1a1a1a;">View your order</a>')}{% endif %}`

const LINES_TEXT = `{% for line in order.lines %}{{ line.quantity }} x {{ line.title }}{% if line.options != '' %} ({{ line.options }}){% endif %}: {{ line.total }}
{% endfor %}`
/** What is in one of several parcels. */
const PARCEL_TEXT = `On its way:
{% for line in order.lines %}{{ line.quantity }} x {{ line.title }}{% if line.options != '' %} ({{ line.options }}){% endif %}
{% endfor %}`
const SHIPPING = '{% if order.raw.shipping == 0 %}Free{% else %}{{ order.shipping }}{% endif %}'
const SUMS_TEXT = `Subtotal: {{ order.subtotal }}
{% if order.discount %}Discount{% if order.discountCode %} ({{ order.discountCode }}){% endif %}: -{{ order.discount }}
{% endif %}Shipping: ${SHIPPING}
{% if order.tax and order.taxIncluded != true %}Tax: {{ order.tax }}
{% endif %}Total: {{ order.total }}{% if order.taxIncluded %}
Included tax: {{ order.tax }}{% endif %}`
/** An order that a merchant placed may have no address. */
const HAS_ADDRESS = 'order.shippingAddress.lines.size > 0'
const ADDRESS_TEXT = `{% if ${HAS_ADDRESS} %}Delivery address:
{% for line in order.shippingAddress.lines %}{{ line }}
{% endfor %}{% endif %}`

const sumRow = (label: string, value: string, style = SUM) =>
  `<tr><th scope="row" colspan="2" style="${style}">${label}</th><td style="${style}${AMOUNT}">${value}</td></tr>`

/**
 * Gmail hides what follows the first 102 kB of a mail: the sums, the address and the footer. With a picture in each of
 * a hundred lines a mail is larger.
 */
const MAX_LINES_WITH_PICTURES = 50
const LINE_HEAD = `{% if line.image and order.lines.size <= ${MAX_LINES_WITH_PICTURES} %}<td class="rule" style="${PICTURE_CELL}"><img src="{{ line.image.url }}" alt="{{ line.image.alt }}" width="{{ line.image.width }}" height="{{ line.image.height }}" style="${PICTURE_STYLE}" /></td>
<th scope="row" class="rule" style="${CELL}">{% else %}<th scope="row" colspan="2" class="rule" style="${CELL}">{% endif %}{{ line.title }}{% if line.options != '' %}<br /><span class="quiet" style="color:#595959;">{{ line.options }}</span>{% endif %}`

const PARCEL_HTML = `<table style="width:100%;border-collapse:collapse;margin:24px 0;">
<caption style="text-align:start;font-weight:bold;">On its way</caption>
<thead><tr>
<th scope="col" colspan="2" class="rule quiet" style="${CELL}padding:4px 0;font-size:14px;color:#595959;">Item</th>
<th scope="col" class="rule quiet" style="${CELL}${AMOUNT}padding:4px 0;font-size:14px;color:#595959;">Quantity</th>
</tr></thead>
<tbody>{% for line in order.lines %}
<tr>${LINE_HEAD}</th>
<td class="rule" style="${CELL}${AMOUNT}">{{ line.quantity }}</td></tr>{% endfor %}
</tbody>
</table>`

const LINES_HTML = `<table style="width:100%;border-collapse:collapse;margin:24px 0;">
<caption style="text-align:start;font-weight:bold;">Your order</caption>
<thead><tr>
<th scope="col" colspan="2" class="rule quiet" style="${CELL}padding:4px 0;font-size:14px;color:#595959;">Item</th>
<th scope="col" class="rule quiet" style="${CELL}${AMOUNT}padding:4px 0;font-size:14px;color:#595959;">Amount</th>
</tr></thead>
<tbody>{% for line in order.lines %}
<tr>${LINE_HEAD}<br /><span class="quiet" style="color:#595959;">{{ line.quantity }} × {{ line.unitPrice }}</span></th>
<td class="rule" style="${CELL}${AMOUNT}">{{ line.total }}</td></tr>{% endfor %}
</tbody>
<tfoot>
${sumRow('Subtotal', '{{ order.subtotal }}', `${SUM}padding-top:12px;`)}
{% if order.discount %}${sumRow('Discount{% if order.discountCode %} ({{ order.discountCode }}){% endif %}', '-{{ order.discount }}')}{% endif %}
${sumRow('Shipping', SHIPPING)}
{% if order.tax and order.taxIncluded != true %}${sumRow('Tax', '{{ order.tax }}')}{% endif %}
${sumRow('Total', '{{ order.total }}', TOTAL)}
{% if order.taxIncluded %}${sumRow('Included tax', '{{ order.tax }}')}{% endif %}
</tfoot>
</table>`
const ADDRESS_HTML = `{% if ${HAS_ADDRESS} %}<h2 style="font-size:18px;margin:24px 0 8px;">Delivery address</h2>
<p style="margin:0;">{% for line in order.shippingAddress.lines %}{{ line }}<br />{% endfor %}</p>{% endif %}`

const GIFT_TEXT = `{% if order.giftMessage %}Your gift message: {{ order.giftMessage }}{% endif %}`
const GIFT_HTML = `{% if order.giftMessage %}<h2 style="font-size:18px;margin:24px 0 8px;">Your gift message</h2>
<p style="margin:0;overflow-wrap:anywhere;">{{ order.giftMessage }}</p>{% endif %}`

const TRACKING_TEXT = `{% if order.tracking.carrier %}Carrier: {{ order.tracking.carrier }}
{% endif %}{% if order.tracking.code %}Tracking number: {{ order.tracking.code }}
{% endif %}{% if order.tracking.url %}Track your parcel: {{ order.tracking.url }}{% endif %}`
const TRACKING_HTML = `{% if order.tracking %}${paragraph(
  `{% if order.tracking.carrier %}Carrier: {{ order.tracking.carrier }}{% endif %}{% if order.tracking.carrier and order.tracking.code %}<br />
{% endif %}{% if order.tracking.code %}Tracking number: <strong>{{ order.tracking.code }}</strong>{% endif %}`,
)}{% endif %}{% if order.tracking.url %}${button('{{ order.tracking.url }}', 'Track your parcel')}{% endif %}`

const refundOf = (number: string) =>
  `We have refunded {% if refund %}{{ refund.amount }}{% else %}{{ order.refunded }}{% endif %} for your order ${number}.`
/** The sum does not contain the refund of a second payment. */
const IS_ONE_OF_SEVERAL = 'refund and order.raw.refunded > refund.raw.amount'
const REFUND_SUM = `{% if ${IS_ONE_OF_SEVERAL} %}In total, we have refunded {{ order.refunded }} of {{ order.total }}.{% endif %}`
const REFUND_WAY = 'The money goes back to your original payment method, usually within ten days.'

const cancelingOf = (number: string) => `Your order ${number} has been canceled. No further items will be shipped.`
/** For a free order there is no money. */
const IS_CAPTURED = "order.payment.status == 'captured' and order.raw.total > 0"
/** A part of the order may have been shipped, and the merchant may keep what was paid for it. */
const PAID_UNSHIPPED = 'paid for items that were not shipped goes back to your original payment method.'
const CANCELED_MONEY = `{% if order.refunded %}We have refunded {{ order.refunded }}.{% if order.payment.status == 'partially_refunded' %} Anything else you ${PAID_UNSHIPPED}{% endif %}{% elsif ${IS_CAPTURED} %}What you ${PAID_UNSHIPPED}{% endif %}`

const partOf = (number: string) => `A part of your order ${number} is on its way.`
const REMAINING = 'The remaining items follow separately.'

/** Of several parcels, the tracking of the others stays as it was. */
const newTrackingOf = (number: string) =>
  `Here are the latest tracking details for your order ${number}. They replace any details we sent you earlier for the same delivery.`

/** Our templates for mails about orders. A merchant's templates replace them part by part. */
export const ORDER_TEMPLATES: Record<OrderMailKind, WholeTemplate> = {
  orderPlaced: {
    subject: 'Order {{ order.number }} received',
    text: text(
      'Thank you for your order.',
      'We received your order {{ order.number }} on {{ order.placedAt }}.',
      LINK_TEXT,
      LINES_TEXT,
      SUMS_TEXT,
      ADDRESS_TEXT,
      GIFT_TEXT,
    ),
    html: html(
      heading('Thank you for your order'),
      paragraph(`We received your order ${NUMBER_HTML} on {{ order.placedAt }}.`),
      LINK_BUTTON,
      LINES_HTML,
      ADDRESS_HTML,
      GIFT_HTML,
    ),
  },
  paymentCaptured: {
    subject: 'Payment for order {{ order.number }} received',
    text: text(
      'Thank you for your payment.',
      'We have received your payment for order {{ order.number }}.',
      LINK_TEXT,
      LINES_TEXT,
      SUMS_TEXT,
    ),
    html: html(
      heading('Thank you for your payment'),
      paragraph(`We have received your payment for order ${NUMBER_HTML}.`),
      LINK_BUTTON,
      LINES_HTML,
    ),
  },
  partlyShipped: {
    subject: 'A part of order {{ order.number }} is on its way',
    text: text(partOf(NUMBER), TRACKING_TEXT, PARCEL_TEXT, REMAINING, LINK_TEXT, ADDRESS_TEXT),
    html: html(
      heading('A part of your order is on its way'),
      paragraph(partOf(NUMBER_HTML)),
      TRACKING_HTML,
      PARCEL_HTML,
      paragraph(REMAINING),
      LINK_HTML,
      ADDRESS_HTML,
    ),
  },
  shipped: {
    subject: 'Order {{ order.number }} is on its way',
    text: text('Your order {{ order.number }} is on its way.', TRACKING_TEXT, LINK_TEXT, LINES_TEXT, ADDRESS_TEXT),
    html: html(
      heading('Your order is on its way'),
      paragraph(`We have shipped your order ${NUMBER_HTML}.`),
      TRACKING_HTML,
      LINK_HTML,
      LINES_HTML,
      ADDRESS_HTML,
    ),
  },
  trackingUpdated: {
    subject: 'New tracking details for order {{ order.number }}',
    text: text(newTrackingOf(NUMBER), TRACKING_TEXT, LINK_TEXT, ADDRESS_TEXT),
    html: html(
      heading('New tracking details'),
      paragraph(newTrackingOf(NUMBER_HTML)),
      TRACKING_HTML,
      LINK_HTML,
      ADDRESS_HTML,
    ),
  },
  refunded: {
    subject: 'Refund for order {{ order.number }}',
    text: text(
      refundOf(NUMBER),
      '{% if refund.reason %}Reason: {{ refund.reason }}{% endif %}',
      REFUND_SUM,
      REFUND_WAY,
      LINK_TEXT,
    ),
    html: html(
      heading('Your refund'),
      paragraph(refundOf(NUMBER_HTML)),
      `{% if refund.reason %}${paragraph('Reason: {{ refund.reason }}')}{% endif %}`,
      `{% if ${IS_ONE_OF_SEVERAL} %}${paragraph(REFUND_SUM)}{% endif %}`,
      paragraph(REFUND_WAY),
      LINK_BUTTON,
    ),
  },
  cancelled: {
    subject: 'Order {{ order.number }} has been canceled',
    text: text(cancelingOf(NUMBER), CANCELED_MONEY, LINK_TEXT, LINES_TEXT, SUMS_TEXT),
    html: html(
      heading('Your order has been canceled'),
      paragraph(cancelingOf(NUMBER_HTML)),
      `{% if order.refunded or ${IS_CAPTURED} %}${paragraph(CANCELED_MONEY)}{% endif %}`,
      LINK_BUTTON,
      LINES_HTML,
    ),
  },
}
