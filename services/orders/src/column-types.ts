import type { Address, DraftOrderQuote, FulfilledLine, Picture, RefundedLine, Tracking } from '@storefront/contracts'
import type { ShopDetails } from './documents/shop-details.ts'
import type { DraftLine } from './drafts/draft.ts'
import type { OrderDocument } from './orders/order.ts'
import type { StepKind } from './timeline/label.ts'

/** Types that PostgreSQL does not know: the content of JSON columns, and texts that no check constraint limits. */
export interface ColumnTypes {
  'draft_orders.lines': DraftLine[]
  'draft_orders.quote': DraftOrderQuote
  'draft_orders.shipping_address': Address
  'buyers.revenues': Record<string, number>
  'fulfilments.lines': FulfilledLine[]
  'fulfilments.tracking': Tracking
  'invoices.shop': ShopDetails
  'order_timeline.detail': Record<string, unknown>
  'order_timeline.kind': StepKind
  'orders.document': OrderDocument
  'orders.tracking': Tracking
  'payment_sessions.document': OrderDocument
  'refunds.lines': RefundedLine[]
  'sold_products.image': Picture
}
