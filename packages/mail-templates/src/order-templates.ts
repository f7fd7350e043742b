import type { OrderMailKind } from '@storefront/contracts'

export interface WholeTemplate {
  subject: string
  text: string
  html: string
}

const CELL = 'padding:8px 4px;border-bottom:1px solid #dddddd;vertical-align:top;overflow-wrap:anywhere;'
const AMOUNT = 'text-align:end;white-space:nowrap;overflow-wrap:normal;'
const SUM = 'padding:4px;font-weight:normal;text-align:end;'

const LINES_TEXT = `{% for line in order.lines %}{{ line.quantity }} x {{ line.title }}{% if line.options != '' %} ({{ line.options }}){% endif %}: {{ line.total }}
{% endfor %}`
const SUMS_TEXT = `Subtotal: {{ order.subtotal }}
{% if order.discount %}Discount{% if order.discountCode %} ({{ order.discountCode }}){% endif %}: -{{ order.discount }}
{% endif %}Shipping: {{ order.shipping }}
{% if order.tax %}Tax: {{ order.tax }}
{% endif %}Total: {{ order.total }}`
const ADDRESS_TEXT = `It goes to:
{% for line in order.shippingAddress.lines %}{{ line }}
{% endfor %}`

const sumRow = (label: string, value: string, style = SUM) =>
  `<tr><th scope="row" colspan="2" style="${style}">${label}</th><td style="${style}${AMOUNT}">${value}</td></tr>`

const LINES_HTML = `<table style="width:100%;border-collapse:collapse;margin:24px 0;">
<caption style="text-align:start;font-weight:bold;padding-bottom:8px;">What you ordered</caption>
<thead><tr>
<th scope="col" style="${CELL}text-align:start;">Item</th>
<th scope="col" style="${CELL}text-align:end;white-space:nowrap;">Quantity</th>
<th scope="col" style="${CELL}${AMOUNT}">Amount</th>
</tr></thead>
<tbody>{% for line in order.lines %}
<tr><th scope="row" style="${CELL}text-align:start;font-weight:normal;">{{ line.title }}{% if line.options != '' %}<br /><span class="quiet" style="color:#595959;">{{ line.options }}</span>{% endif %}</th>
<td style="${CELL}text-align:end;">{{ line.quantity }}</td>
<td style="${CELL}${AMOUNT}">{{ line.total }}</td></tr>{% endfor %}
</tbody>
<tfoot>
${sumRow('Subtotal', '{{ order.subtotal }}')}
{% if order.discount %}${sumRow('Discount{% if order.discountCode %} ({{ order.discountCode }}){% endif %}', '-{{ order.discount }}')}{% endif %}
${sumRow('Shipping', '{{ order.shipping }}')}
{% if order.tax %}${sumRow('Tax', '{{ order.tax }}')}{% endif %}
${sumRow('Total', '{{ order.total }}', 'padding:4px;font-weight:bold;text-align:end;')}
</tfoot>
</table>`
const ADDRESS_HTML = `<h2 style="font-size:18px;margin:24px 0 8px;">It goes to</h2>
<p style="margin:0;">{% for line in order.shippingAddress.lines %}{{ line }}<br />{% endfor %}</p>`

const heading = (text: string) => `<h1 style="font-size:24px;line-height:1.25;margin:0 0 8px;">${text}</h1>`
const paragraph = (text: string) => `<p style="margin:0 0 16px;">${text}</p>`
const html = (...parts: readonly string[]) => parts.join('\n')
const text = (...parts: readonly string[]) => parts.join('\n\n')

const TRACKING_TEXT = `{% if order.tracking %}{{ order.tracking.carrier }} brings it. The number of the parcel is {{ order.tracking.code }}.{% if order.tracking.url %}
Follow it here: {{ order.tracking.url }}{% endif %}{% endif %}`
const TRACKING_HTML = `{% if order.tracking %}${paragraph('{{ order.tracking.carrier }} brings it. The number of the parcel is <strong>{{ order.tracking.code }}</strong>.')}{% if order.tracking.url %}
<p style="margin:0 0 24px;"><a class="button" href="{{ order.tracking.url }}" style="display:inline-block;padding:12px 24px;border-radius:4px;background:#1a1a1a;color:#ffffff;text-decoration:none;">Follow the parcel of order {{ order.number }}</a></p>{% endif %}{% endif %}`

const REFUND = `{% if refund %}We have given back {{ refund.amount }} for order {{ order.number }}.{% else %}We have given back {{ order.refunded }} for order {{ order.number }}.{% endif %}`
const REFUND_SUM = `{% if refund and order.refunded and order.refunded != refund.amount %}In all, {{ order.refunded }} of {{ order.total }} went back to you.{% endif %}`
const REFUND_WAY = 'It arrives the way you paid, in most cases within ten days.'

const CANCELLED = 'Order {{ order.number }} was cancelled and will not be sent.'
/** What of the money came in and is still here goes back, by the merchant's hand. For what was free, nothing does. */
const MONEY_IS_HERE = "order.payment.status == 'captured' and order.raw.total > 0"
const CANCELLED_MONEY = `{% if order.refunded %}We have given back {{ order.refunded }}.{% if order.payment.status == 'partially_refunded' %} The rest of what you paid goes back to you the way it came.{% endif %}{% elsif ${MONEY_IS_HERE} %}What you paid for it goes back to you the way it came.{% endif %}`

/** Our words for the mails about orders. A merchant's take their place part by part. */
export const ORDER_TEMPLATES: Record<OrderMailKind, WholeTemplate> = {
  orderPlaced: {
    subject: 'Order {{ order.number }} received',
    text: text(
      'Thank you for your order.',
      'We have received order {{ order.number }}.',
      LINES_TEXT,
      SUMS_TEXT,
      ADDRESS_TEXT,
    ),
    html: html(
      heading('Thank you for your order'),
      paragraph('We have received order <strong>{{ order.number }}</strong>.'),
      LINES_HTML,
      ADDRESS_HTML,
    ),
  },
  paymentCaptured: {
    subject: 'Payment for order {{ order.number }} received',
    text: text('Thank you.', 'We have received your payment for order {{ order.number }}.', LINES_TEXT, SUMS_TEXT),
    html: html(
      heading('Thank you for your payment'),
      paragraph('We have received your payment for order <strong>{{ order.number }}</strong>.'),
      LINES_HTML,
    ),
  },
  shipped: {
    subject: 'Order {{ order.number }} is on its way',
    text: text('Order {{ order.number }} is on its way to you.', TRACKING_TEXT, LINES_TEXT, ADDRESS_TEXT),
    html: html(
      heading('Your order is on its way'),
      paragraph('We have sent order <strong>{{ order.number }}</strong>.'),
      TRACKING_HTML,
      LINES_HTML,
      ADDRESS_HTML,
    ),
  },
  refunded: {
    subject: 'Refund for order {{ order.number }}',
    text: text(REFUND, '{% if refund.reason %}Reason: {{ refund.reason }}{% endif %}', REFUND_SUM, REFUND_WAY),
    html: html(
      heading('Your refund'),
      paragraph(REFUND),
      `{% if refund.reason %}${paragraph('Reason: {{ refund.reason }}')}{% endif %}`,
      `{% if refund and order.refunded and order.refunded != refund.amount %}${paragraph(REFUND_SUM)}{% endif %}`,
      paragraph(REFUND_WAY),
    ),
  },
  cancelled: {
    subject: 'Order {{ order.number }} was cancelled',
    text: text(CANCELLED, CANCELLED_MONEY, LINES_TEXT, SUMS_TEXT),
    html: html(
      heading('Your order was cancelled'),
      paragraph(CANCELLED),
      `{% if order.refunded or ${MONEY_IS_HERE} %}${paragraph(CANCELLED_MONEY)}{% endif %}`,
      LINES_HTML,
    ),
  },
}
