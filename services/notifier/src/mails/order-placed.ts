import { z } from 'zod'
import { formatMoney, Order, type Money } from '@storefront/contracts'
import { html, type Html } from './html.ts'
import { writePage } from './layout.ts'
import type { MailText } from './mail-kinds.ts'

export const OrderPlacedMail = z.object({ order: Order, locale: z.string() })

type Line = Order['lines'][number]

const CELL = 'padding:8px 0;border-bottom:1px solid #dddddd;vertical-align:top;'
const AMOUNT = 'text-align:right;white-space:nowrap;'

/** Tells the buyer that the order was received, and what it holds. */
export function writeOrderPlaced({ order, locale }: z.output<typeof OrderPlacedMail>): MailText {
  const show = (amount: Money) => formatMoney(amount, usableLocale(locale))
  return {
    subject: `Order ${order.number} received`,
    text: writeText(order, show),
    html: writeHtml(order, show).html,
    holdsLink: false,
  }
}

/** An unknown locale must not keep a buyer from hearing about an order. */
function usableLocale(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? 'en-US'
  } catch {
    return 'en-US'
  }
}

function totals(order: Order): { label: string; amount: Money; sign?: string }[] {
  const discount = order.discountCode ? `Discount (${order.discountCode.code})` : 'Discount'
  return [
    { label: 'Subtotal', amount: order.subtotal },
    ...(order.discount.amount > 0 ? [{ label: discount, amount: order.discount, sign: '-' }] : []),
    { label: 'Shipping', amount: order.shipping },
    ...(order.tax.amount > 0 ? [{ label: 'Tax', amount: order.tax }] : []),
    { label: 'Total', amount: order.total },
  ]
}

function optionsOf(line: Line): string {
  return Object.entries(line.options)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')
}

function addressLines({ shippingAddress: to }: Order): string[] {
  const place = [to.city, [to.region, to.postalCode].filter(Boolean).join(' ')].filter(Boolean).join(', ')
  return [to.name, to.line1, to.line2, place, to.country].filter(Boolean)
}

function writeText(order: Order, show: (amount: Money) => string): string {
  const lines = order.lines.map((line) => {
    const options = optionsOf(line)
    return `${line.quantity} x ${line.title}${options === '' ? '' : ` (${options})`}: ${show(line.lineTotal)}`
  })
  const sums = totals(order).map(({ label, amount, sign = '' }) => `${label}: ${sign}${show(amount)}`)
  return [
    'Thank you for your order.',
    `We have received order ${order.number}.`,
    lines.join('\n'),
    sums.join('\n'),
    ['It goes to:', ...addressLines(order)].join('\n'),
  ].join('\n\n')
}

function writeHtml(order: Order, show: (amount: Money) => string): Html {
  const address = addressLines(order).map((line) => html`${line}<br />`)
  const content = html`<p style="margin:0 0 24px;">We have received order <strong>${order.number}</strong>.</p>
    <table style="width:100%;border-collapse:collapse;">
      <caption style="text-align:left;font-weight:bold;padding-bottom:8px;">
        What you ordered
      </caption>
      <thead>
        <tr>
          <th scope="col" style="${CELL}text-align:left;">Item</th>
          <th scope="col" style="${CELL}text-align:right;">Quantity</th>
          <th scope="col" style="${CELL}text-align:right;">Amount</th>
        </tr>
      </thead>
      <tbody>
        ${order.lines.map((line) => writeLine(line, show))}
      </tbody>
      <tfoot>
        ${totals(order).map((sum) => writeTotal(sum, show))}
      </tfoot>
    </table>
    <h2 style="font-size:18px;margin:24px 0 8px;">It goes to</h2>
    <p style="margin:0;">${address}</p>`
  return writePage({ title: `Order ${order.number} received`, heading: 'Thank you for your order', content })
}

function writeLine(line: Line, show: (amount: Money) => string): Html {
  const options = optionsOf(line)
  return html`<tr>
    <th scope="row" style="${CELL}text-align:left;font-weight:normal;">
      ${line.title}${options === '' ? '' : html`<br /><span style="color:#595959;">${options}</span>`}
    </th>
    <td style="${CELL}text-align:right;">${line.quantity}</td>
    <td style="${CELL}${AMOUNT}">${show(line.lineTotal)}</td>
  </tr>`
}

function writeTotal(sum: ReturnType<typeof totals>[number], show: (amount: Money) => string): Html {
  const weight = sum.label === 'Total' ? 'font-weight:bold;' : ''
  return html`<tr>
    <th scope="row" colspan="2" style="padding:4px 0;text-align:right;font-weight:normal;${weight}">${sum.label}</th>
    <td style="padding:4px 0;${AMOUNT}${weight}">${sum.sign ?? ''}${show(sum.amount)}</td>
  </tr>`
}
