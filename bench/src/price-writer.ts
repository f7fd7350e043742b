import { setTimeout as sleep } from 'node:timers/promises'
import type { GeneratedCatalog } from './generated-catalog.ts'
import type { Merchant } from './merchant.ts'
import { between, seeded } from './random.ts'

const EVERY_MS = 100

/** A merchant at work: saves one product after the other with another price, ten a second if the shop keeps up. */
export function startPriceWriter(merchant: Merchant, catalog: GeneratedCatalog, seed: string) {
  const random = seeded(seed)
  const stopping = new AbortController()
  const counts = { writes: 0, failures: 0 }
  const write = async (): Promise<void> => {
    const product = catalog.productAt(between(random, 0, catalog.count - 1))
    const price = { ...product.price, amount: product.price.amount + between(random, 1, 2000) }
    counts.writes++
    await merchant.importCatalog({ mode: 'merge', products: [{ ...product, price }] }).catch(() => counts.failures++)
  }
  const writing = (async () => {
    while (!stopping.signal.aborted) {
      await Promise.all([write(), sleep(EVERY_MS, undefined, { signal: stopping.signal }).catch(() => {})])
    }
  })()
  return {
    /** Ends after the write under way. Returns how often the shop rejected one. */
    async stop() {
      stopping.abort()
      await writing
      return counts
    },
  }
}
