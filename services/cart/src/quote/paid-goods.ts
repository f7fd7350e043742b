import { inOptionOrder, type PriceEntry } from '@storefront/contracts'
import type { StoredLine } from '../cart/stored-cart.ts'
import type { PriceReading } from '../price-projection/read-prices.ts'
import { factsOfSold } from '../pricing/eligible-lines.ts'

/**
 * The prices of goods that were paid for. Those that were withdrawn since have their last price or, where that is in
 * another currency than the shop's, the price that the cart stored.
 */
export function withWithdrawn(lines: readonly StoredLine[], reading: PriceReading): PriceReading {
  const { currency } = reading.settings
  const entries = new Map(reading.entries)
  for (const line of lines) {
    const entry = entries.get(line.variantId)
    if (!factsOfSold(entry, currency)) entries.set(line.variantId, asSold(line, entry, currency))
  }
  return { ...reading, entries }
}

function asSold({ variantId, remembered }: StoredLine, entry: PriceEntry | undefined, currency: string): PriceEntry {
  if (entry?.facts.price.currency === currency) return { ...entry, facts: { ...entry.facts, published: true } }
  const { optionNames = [], productId = '', ...shown } = remembered
  const options = inOptionOrder(shown.options, optionNames)
  const facts = { ...shown, productId, options, categories: [], published: true }
  return { variantId, facts, factsVersion: 0, inventory: 0, stockVersion: 0 }
}
