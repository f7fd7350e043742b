import { money, portionOf, type Money, type OrderOfUnits, type Refund, type TaxTerms } from '@storefront/contracts'

interface Amounts {
  subtotal: Money
  discount: Money
  shipping: Money
  total: Money
  taxTerms?: TaxTerms | undefined
}

/**
 * What the buyer pays for the lines of an order: after the discount and with their tax, without shipping and its tax.
 * Without terms, as in older orders, all of the tax counts for the lines.
 */
export function paidForLines({ subtotal, discount, shipping, total, taxTerms }: Amounts): Money {
  const goods = subtotal.amount - discount.amount
  // Zero when prices contain the tax.
  const addedTax = Math.max(0, total.amount - goods - shipping.amount)
  const taxed = goods + shipping.amount
  const isSpread = taxTerms?.onShipping === true && taxed > 0
  return money(Math.max(0, goods + (isSpread ? portionOf(addedTax, goods, taxed) : addedTax)), total.currency)
}

/** The parts of an order that determine what was paid for its units. */
export function orderOfUnits({
  document,
  refunds,
}: {
  document: Amounts & Pick<OrderOfUnits, 'lines'>
  refunds: readonly Pick<Refund, 'status' | 'lines'>[]
}): OrderOfUnits {
  return { lines: document.lines, paidForLines: paidForLines(document), refunds }
}
