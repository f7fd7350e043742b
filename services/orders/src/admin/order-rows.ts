import { decimalAmount, type CartLine, type Order, type OrderStatus } from '@storefront/contracts'

type Cell = string | number | undefined

interface Column {
  header: string
  cell: (order: Order, line: CartLine | undefined, isFirst: boolean) => Cell
}

const ofEachRow = (header: string, cell: (order: Order) => Cell): Column => ({ header, cell: (order) => cell(order) })
/** Only in the first row of an order, so that a sum over the column counts each order once. */
const ofOrder = (header: string, cell: (order: Order) => Cell): Column => ({
  header,
  cell: (order, _line, isFirst) => (isFirst ? cell(order) : undefined),
})
const ofLine = (header: string, cell: (line: CartLine) => Cell): Column => ({
  header,
  cell: (_order, line) => line && cell(line),
})

const FULFILMENT: Record<OrderStatus, string> = {
  placed: 'unfulfilled',
  paid: 'unfulfilled',
  fulfilled: 'fulfilled',
  delivered: 'delivered',
  cancelled: '',
}

/** Names and order of the columns follow Shopify's export where it has them, because accounting programs know them. */
const COLUMNS: readonly Column[] = [
  ofEachRow('Name', ({ number }) => number),
  ofEachRow('Email', ({ email }) => email),
  ofOrder('Financial Status', ({ payment }) => payment.status),
  ofOrder('Fulfillment Status', fulfilmentOf),
  ofOrder('Status', ({ status }) => status),
  ofOrder('Currency', ({ total }) => total.currency),
  ofOrder('Subtotal', ({ subtotal }) => decimalAmount(subtotal)),
  ofOrder('Shipping', ({ shipping }) => decimalAmount(shipping)),
  ofOrder('Taxes', ({ tax }) => decimalAmount(tax)),
  ofOrder('Total', ({ total }) => decimalAmount(total)),
  ofOrder('Discount Code', ({ discountCode }) => discountCode?.code),
  ofOrder('Discount Amount', ({ discount }) => decimalAmount(discount)),
  ofOrder('Shipping Method', ({ shippingMethod }) => shippingMethod),
  ofOrder('Created at', ({ placedAt }) => placedAt),
  ofLine('Lineitem quantity', ({ quantity }) => quantity),
  ofLine('Lineitem name', nameOf),
  ofLine('Lineitem price', ({ unitPrice }) => decimalAmount(unitPrice)),
  ofLine('Lineitem total', ({ lineTotal }) => decimalAmount(lineTotal)),
  ofLine('Lineitem sku', ({ sku }) => sku),
  ofOrder('Shipping Name', ({ shippingAddress }) => shippingAddress.name),
  ofOrder('Shipping Address1', ({ shippingAddress }) => shippingAddress.line1),
  ofOrder('Shipping Address2', ({ shippingAddress }) => shippingAddress.line2),
  ofOrder('Shipping City', ({ shippingAddress }) => shippingAddress.city),
  ofOrder('Shipping Zip', ({ shippingAddress }) => shippingAddress.postalCode),
  ofOrder('Shipping Province', ({ shippingAddress }) => shippingAddress.region),
  ofOrder('Shipping Country', ({ shippingAddress }) => shippingAddress.country),
  ofOrder('Shipping Phone', ({ shippingAddress }) => shippingAddress.phone),
  ofOrder('Tracking Company', ({ tracking }) => tracking?.carrier),
  ofOrder('Tracking Number', ({ tracking }) => tracking?.code),
  ofOrder('Tracking URL', ({ tracking }) => tracking?.url),
  ofOrder('Payment Provider', ({ payment }) => payment.provider),
  ofOrder('Payment Method', ({ payment }) => payment.method),
  ofOrder('Payment Reference', ({ payment }) => payment.reference),
  ofOrder('Refunded Amount', ({ refundedTotal }) => decimalAmount(refundedTotal)),
  ofOrder('Attention', ({ attention }) => attention),
  ofOrder('Tags', ({ tags }) => tags?.join(', ')),
  ofOrder('Customer Id', ({ customerId }) => customerId),
  ofEachRow('Id', ({ id }) => id),
]

export const ORDER_COLUMNS: readonly string[] = COLUMNS.map(({ header }) => header)

/** An order as rows of a table, one for each of its lines. */
export function rowsOf(order: Order): Cell[][] {
  // An order without lines gets one row.
  const lines: readonly (CartLine | undefined)[] = order.lines.length === 0 ? [undefined] : order.lines
  return lines.map((line, index) => COLUMNS.map(({ cell }) => cell(order, line, index === 0)))
}

function fulfilmentOf({ status, fulfilments = [] }: Order): string {
  const state = FULFILMENT[status]
  return state === 'unfulfilled' && fulfilments.length > 0 ? 'partial' : state
}

function nameOf({ title, options }: CartLine): string {
  const chosen = Object.values(options).join(' / ')
  return chosen === '' ? title : `${title} - ${chosen}`
}
