import type { DiscountInput } from '@storefront/contracts'
import type { StoredLine } from './cart/stored-cart.ts'

/** Types of the JSON in columns, which PostgreSQL does not know. */
export interface ColumnTypes {
  'carts.lines': StoredLine[]
  'discount_import_parts.discounts': DiscountInput[]
}
