import type { NamedProduct } from './read-products.queries.ts'

/** The limit of a reply with more than one product. */
const FITTING_BYTES = 400_000
/** The limit of NATS is 1 MiB, and the reply needs some of it besides the product. */
const MAX_PRODUCT_BYTES = 1_000_000

/**
 * Chooses the products of one reply: as many as fit, and at least one. A product that is not shown, or does not fit
 * into a message, is neither chosen nor left, because it would be requested forever.
 */
export function chooseFitting(named: readonly NamedProduct[]): { chosen: string[]; left: string[] } {
  const chosen = new Set<string>()
  const left: string[] = []
  let total = 0
  for (const { name, id, bytes } of named) {
    if (bytes === null || bytes > MAX_PRODUCT_BYTES || chosen.has(id)) continue
    if (chosen.size > 0 && total + bytes > FITTING_BYTES) {
      left.push(name)
      continue
    }
    chosen.add(id)
    total += bytes
  }
  return { chosen: [...chosen], left }
}
