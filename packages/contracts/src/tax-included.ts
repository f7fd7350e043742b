// In a separate file, because the apps load it without the schemas.
import type { Money } from './money.ts'

type Amounts = Record<'subtotal' | 'discount' | 'shipping' | 'tax' | 'total', Money>

/**
 * @returns whether the prices of a cart or an order include its tax, so that it is not added to the total; false
 * without a tax. The settings cannot be used, because they may have changed since the order
 */
export function isTaxIncluded({ subtotal, discount, shipping, tax, total }: Amounts): boolean {
  return tax.amount > 0 && total.amount === subtotal.amount - discount.amount + shipping.amount
}
