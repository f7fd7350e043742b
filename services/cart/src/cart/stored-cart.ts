import { DAY_MS, HOUR_MS } from '@storefront/service'
import { newId, type PriceFacts } from '@storefront/contracts'
import type { CartDiscount } from '../discounts/discount.ts'

/**
 * A line as it is stored: the chosen variant, with its title, image and price at that time, to be shown when the
 * product is gone.
 */
export interface StoredLine {
  id: string
  variantId: string
  quantity: number
  /** Ids of lines that were merged into this one: they still refer to it. */
  formerIds?: string[]
  remembered: Remembered
}

/** Lines that an earlier version stored have neither SKU nor product id. */
type Remembered = Pick<PriceFacts, 'sku' | 'productSlug' | 'title' | 'options' | 'image' | 'price'> &
  Partial<Pick<PriceFacts, 'productId'>> & {
    /** The names of the options in their order, which JSON in the database does not keep. Older lines have none. */
    optionNames?: string[]
  }

export interface StoredCart {
  id: string
  customerId: string | null
  lines: StoredLine[]
  version: number
  /** Keys of changes that were already made, the latest first (change-key.ts). */
  recentKeys: string[]
  /** The discount code that was set on the cart. */
  discountCode: string | null
  /** The discount of that code; null when it no longer exists, or a checkout rejected it for the buyer's mailbox. */
  discount: CartDiscount | null
}

/** At the next full hour, so that most changes of a cart leave its indexes as they are: its expiry is in one. */
export function expiryFrom(now: Date, ttlDays: number): Date {
  return new Date(Math.ceil((now.getTime() + ttlDays * DAY_MS) / HOUR_MS) * HOUR_MS)
}

export function findLine(lines: readonly StoredLine[], lineId: string): StoredLine | undefined {
  return lines.find((line) => line.id === lineId || line.formerIds?.includes(lineId))
}

/** Adds to the line that has the variant, if there is one. */
export function withAdded(
  lines: readonly StoredLine[],
  variantId: string,
  quantity: number,
  facts: PriceFacts,
): StoredLine[] {
  const { sku, productId, productSlug, title, options, image, price } = facts
  const optionNames = Object.keys(options)
  const remembered = { sku, productId, productSlug, title, options, optionNames, image, price }
  if (!lines.some((line) => line.variantId === variantId)) {
    return [...lines, { id: newId('line'), variantId, quantity, remembered }]
  }
  return lines.map((line) =>
    line.variantId === variantId ? { ...line, quantity: line.quantity + quantity, remembered } : line,
  )
}

/** Zero removes the line. */
export function withQuantity(lines: readonly StoredLine[], lineId: string, quantity: number): StoredLine[] {
  if (quantity === 0) return lines.filter((line) => line.id !== lineId)
  return lines.map((line) => (line.id === lineId ? { ...line, quantity } : line))
}

/** The lines of a cart that an order contains. */
export interface OrderedGoods {
  lines: readonly { variantId: string; quantity: number }[]
  /** Ids of its lines, and of lines that were merged into them. */
  lineIds: ReadonlySet<string>
}

/**
 * Goods that were ordered must not be bought again. What remains of an ordered line gets a new id: orders sells a line
 * once, by its id.
 */
export function splitOrdered(
  lines: readonly StoredLine[],
  { lines: ordered, lineIds }: OrderedGoods,
): { ordered: StoredLine[]; remaining: StoredLine[] } {
  const units = new Map<string, number>()
  for (const { variantId, quantity } of ordered) units.set(variantId, (units.get(variantId) ?? 0) + quantity)
  const taken = (line: StoredLine) => Math.min(line.quantity, units.get(line.variantId) ?? 0)
  return {
    ordered: lines.flatMap((line) => (taken(line) > 0 ? [{ ...line, quantity: taken(line) }] : [])),
    remaining: lines.flatMap((line) => {
      const quantity = line.quantity - taken(line)
      return quantity > 0 ? [{ ...withUnsoldIds(line, lineIds), quantity }] : []
    }),
  }
}

function withUnsoldIds({ formerIds = [], ...line }: StoredLine, sold: ReadonlySet<string>): StoredLine {
  const unsold = formerIds.filter((id) => !sold.has(id))
  return {
    ...line,
    id: sold.has(line.id) ? newId('line') : line.id,
    ...(unsold.length > 0 && { formerIds: unsold }),
  }
}
