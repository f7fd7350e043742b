import { unitsToPack } from '../fulfilments/remaining-to-fulfil.ts'
import { merchantOrder, type StoredOrder } from '../orders/order.ts'
import type { OrderFormatter } from './order-formatter.ts'
import type { PrintedDocument } from './printed-document.ts'
import type { ShopDetails } from './shop-details.ts'

/** What goes into the parcel: no prices, because it may be a present. */
export function packingSlipOf(order: StoredOrder, shop: ShopDetails, format: OrderFormatter): PrintedDocument {
  const { lines: bought, shippingAddress, giftMessage } = merchantOrder(order)
  const packed = unitsToPack(order)
  const lines = bought
    .map((line) => ({ ...line, quantity: packed.get(line.id) ?? 0 }))
    .filter(({ quantity }) => quantity > 0)
  const recipient = [
    ...format.address(shippingAddress),
    ...(shippingAddress.phone === '' ? [] : [shippingAddress.phone]),
  ]
  const units = lines.reduce((sum, { quantity }) => sum + quantity, 0)
  return {
    title: 'Packing slip',
    number: order.number,
    locale: format.locale,
    createdAt: order.placedAt,
    shop: { name: shop.name, lines: shop.address },
    facts: [
      { label: 'Order', value: order.number },
      { label: 'Date', value: format.day(order.placedAt) },
      ...(shop.shippingMethod === '' ? [] : [{ label: 'Delivery', value: shop.shippingMethod }]),
      { label: 'Units', value: String(units) },
    ],
    recipient: { heading: 'Ship to', lines: recipient.length === 0 ? ['No delivery address'] : recipient },
    ...(giftMessage !== undefined && { note: { heading: 'Message', lines: giftMessage.split('\n') } }),
    columns: [
      { heading: '', share: 0.06 },
      { heading: 'Quantity', share: 0.12, align: 'right' },
      { heading: 'Item', share: 0.54 },
      { heading: 'SKU', share: 0.28 },
    ],
    rows: lines.map((line) => [
      'box',
      { text: String(line.quantity) },
      { text: line.title, below: format.options(line) },
      { text: line.sku ?? '' },
    ]),
    sums: [],
  }
}
