import type { DiscountInput } from '@storefront/contracts'
import type { StoredLine } from './cart/stored-cart.ts'

/** What PostgreSQL does not know of columns: the content of JSON. */
export interface ColumnTypes {
  'carts.lines': StoredLine[]
  'discount_import_parts.discounts': DiscountInput[]
}
