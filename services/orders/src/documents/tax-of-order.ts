import { isTaxIncluded, type Money } from '@storefront/contracts'
import type { OrderDocument } from '../orders/order.ts'

interface TaxOfOrder {
  /** In basis points; undefined for an order from before rates were kept. */
  rate: number | undefined
  /** The taxed amount, without the tax. */
  net: Money
  /** Whether the prices of the order include it. */
  isIncluded: boolean
}

/** How the tax of an order was computed. An order has one rate. */
export function taxOf(order: OrderDocument): TaxOfOrder {
  const { subtotal, discount, shipping, tax, total, taxTerms } = order
  const goods = subtotal.amount - discount.amount
  // Without terms, only the total shows whether the tax is included.
  if (!taxTerms) return { rate: undefined, net: { ...total, amount: goods }, isIncluded: isTaxIncluded(order) }
  const { rate, isIncluded, onShipping } = taxTerms
  const taxed = goods + (onShipping ? shipping.amount : 0)
  return { rate, net: { ...total, amount: isIncluded ? taxed - tax.amount : taxed }, isIncluded }
}
