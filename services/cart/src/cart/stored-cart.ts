import { newId, type BoardFacts } from '@storefront/contracts'
import type { CartDiscount } from '../discounts/discount.ts'

/** A line as it is stored: what was chosen, and what it was called then, for the day its product is gone. */
export interface StoredLine {
  id: string
  variantId: string
  quantity: number
  remembered: Pick<BoardFacts, 'productSlug' | 'title' | 'options' | 'image' | 'price'>
}

export interface StoredCart {
  id: string
  customerId: string | null
  lines: StoredLine[]
  version: number
  /** The code that somebody put on it. */
  discountCode: string | null
  /** What that code stands for; null when it is gone. */
  discount: CartDiscount | null
}

/** The same variant adds up on one line (decisions, section 4). */
export function withAdded(
  lines: readonly StoredLine[],
  variantId: string,
  quantity: number,
  facts: BoardFacts,
): StoredLine[] {
  const { productSlug, title, options, image, price } = facts
  const remembered = { productSlug, title, options, image, price }
  if (!lines.some((line) => line.variantId === variantId)) {
    return [...lines, { id: newId('line'), variantId, quantity, remembered }]
  }
  return lines.map((line) =>
    line.variantId === variantId ? { ...line, quantity: line.quantity + quantity, remembered } : line,
  )
}

/** Zero takes the line out. */
export function withQuantity(lines: readonly StoredLine[], lineId: string, quantity: number): StoredLine[] {
  if (quantity === 0) return lines.filter((line) => line.id !== lineId)
  return lines.map((line) => (line.id === lineId ? { ...line, quantity } : line))
}
