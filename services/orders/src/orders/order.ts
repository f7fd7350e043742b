import {
  inOptionOrder,
  type Address,
  type CartLine,
  type Fulfilment,
  type Money,
  type Order,
  type OrderAttention,
  type OrderStatus,
  type PaymentStatus,
  type Refund,
  type TaxTerms,
  type Tracking,
} from '@storefront/contracts'
import { paidForLines } from './paid-for-lines.ts'

/** What was sold, to whom and for how much: written once. */
export interface OrderDocument {
  lines: CartLine[]
  subtotal: Money
  discount: Money
  shipping: Money
  tax: Money
  /** How the tax was computed. Older orders have none. */
  taxTerms?: TaxTerms | undefined
  total: Money
  discountCode?: { code: string; label: string } | undefined
  shippingAddress: Address
  shippingMethod: string
  /** For the recipient of the parcel. Deleted with the data of the buyer. */
  giftMessage?: string | undefined
  locale: string
  /** The names of the options of each line in their order, which JSON in the database loses. Older orders have none. */
  optionNames?: string[][] | undefined
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
  /** The reservation that it was sold from; none when its payment came for goods that were sold out. */
  claim: string | null
  discountClaim: string | null
  attention: OrderAttention | null
  tracking: Tracking | null
  /** Set by the merchant; the buyer does not see them. */
  tags: string[]
  /** The parcels that were sent, oldest first. */
  fulfilments: Fulfilment[]
  /** In minor units: the amount received, and the amount refunded for certain. */
  capturedMinor: number
  refundedMinor: number
  restockedAt: Date | null
  /** Oldest first. */
  refunds: Refund[]
}

/** The order as its buyer sees it: without the payment's reference and other fields for the merchant. */
export function publicOrder(order: StoredOrder): Order {
  const {
    attention: _attention,
    customerId: _customerId,
    tags: _tags,
    fulfilments: _fulfilments,
    paidForLines: _paidForLines,
    payment,
    refunds,
    ...shown
  } = merchantOrder(order)
  const { reference: _reference, ...shownPayment } = payment
  return { ...shown, payment: shownPayment, refunds: refunds.map(publicRefund) }
}

/** A refund as the buyer sees it. */
export function publicRefund({ lines: _lines, ...refund }: Refund): Refund {
  return refund
}

/** The order as the merchant sees it. The payment's reference is always present, because a refund needs it. */
export function merchantOrder(order: StoredOrder): Order {
  const { locale: _locale, taxTerms: _taxTerms, optionNames = [], lines, ...document } = order.document
  const { provider, status, method, reference } = order.payment
  return {
    id: order.id,
    number: order.number,
    status: order.status,
    placedAt: order.placedAt.toISOString(),
    ...document,
    lines: lines.map((line, index) => ({ ...line, options: inOptionOrder(line.options, optionNames[index] ?? []) })),
    email: order.email,
    ...(order.customerId === null ? {} : { customerId: order.customerId }),
    ...(order.tracking === null ? {} : { tracking: order.tracking }),
    payment: {
      provider,
      status,
      ...(method === null ? {} : { method }),
      ...(reference === null ? {} : { reference }),
    },
    refunds: order.refunds,
    refundedTotal: { amount: order.refundedMinor, currency: document.total.currency },
    paidForLines: paidForLines(order.document),
    ...(order.attention === null ? {} : { attention: order.attention }),
    tags: order.tags,
    fulfilments: order.fulfilments,
  }
}
