import type { StorefrontClient } from '@storefront/client'
import type { Category, Collection, Settings } from './catalog.ts'

/** What every page shows around its content. */
export interface Frame {
  settings: Settings
  /** ISO 4217, of the prices. */
  currency: string
  /** The tree. */
  categories: readonly Category[]
  collections: readonly Collection[]
}

const FRESH_MS = 60_000

/** Reads the frame, and keeps it for a minute, or as long as the shop does not respond. */
export class FrameReader {
  readonly #shop: StorefrontClient
  #kept: { frame: Frame; readMs: number } | undefined
  #reading: Promise<Frame> | undefined

  constructor(shop: StorefrontClient) {
    this.#shop = shop
  }

  async read(): Promise<Frame> {
    const kept = this.#kept
    if (kept && Date.now() - kept.readMs < FRESH_MS) return kept.frame
    try {
      return await (this.#reading ??= this.#read())
    } catch (error) {
      if (kept) return kept.frame
      throw error
    }
  }

  /** Has the next page read it again; what is being read now may be out of date. */
  purge(): void {
    this.#reading = undefined
    if (this.#kept) this.#kept.readMs = 0
  }

  #read(): Promise<Frame> {
    const reading = this.#request()
    const done = (frame?: Frame) => {
      if (this.#reading !== reading) return
      this.#reading = undefined
      if (frame) this.#kept = { frame, readMs: Date.now() }
    }
    reading.then(done, () => done())
    return reading
  }

  async #request(): Promise<Frame> {
    const [settings, categories, collections] = await Promise.all([
      this.#shop.get('/storefront'),
      this.#shop.get('/categories'),
      this.#shop.get('/collections'),
    ])
    const currency = settings.pricing?.currency ?? 'USD'
    return { settings, currency, categories: categories.items, collections: collections.items }
  }
}

/** @returns the category and those above it, from the top; empty when there is none */
export function categoryPath(categories: readonly Category[], slug: string): Category[] {
  for (const category of categories) {
    if (category.slug === slug) return [category]
    const below = categoryPath(category.children ?? [], slug)
    if (below.length > 0) return [category, ...below]
  }
  return []
}
