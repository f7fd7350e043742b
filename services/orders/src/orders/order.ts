import type { Address, CartLine, Money, Order, OrderStatus, PaymentStatus } from '@storefront/contracts'

/** What was sold, to whom and for how much: written once. */
export interface OrderDocument {
  lines: CartLine[]
  subtotal: Money
  discount: Money
  shipping: Money
  tax: Money
  total: Money
  discountCode?: { code: string; label: string } | undefined
  shippingAddress: Address
  shippingMethod: string
  locale: string
}

export interface StoredOrder {
  id: string
  number: string
  cartId: string
  customerId: string | null
  email: string
  status: OrderStatus
  placedAt: Date
  document: OrderDocument
  payment: { provider: string; status: PaymentStatus; method: string | null; reference: string | null }
  claim: string
}

/** The order as its buyer sees it: without the payment's reference, which is for the merchant. */
export function publicOrder(order: StoredOrder): Order {
  const { locale: _locale, ...document } = order.document
  return {
    id: order.id,
    number: order.number,
    status: order.status,
    placedAt: order.placedAt.toISOString(),
    ...document,
    email: order.email,
    payment: {
      provider: order.payment.provider,
      status: order.payment.status,
      ...(order.payment.method === null ? {} : { method: order.payment.method }),
    },
    refunds: [],
    refundedTotal: { amount: 0, currency: document.total.currency },
  }
}
