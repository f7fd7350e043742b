import { LRUCache } from 'lru-cache'
import type { Database } from '../database.ts'
import { findItems } from './responses.queries.ts'

const MAX_BYTES = 32 * 2 ** 20
/** The memory of an item besides its bytes. */
const OVERHEAD_BYTES = 400

export interface Item {
  slug: string
  /** JSON, ready to send. */
  json: Buffer
}

interface CachedItem extends Item {
  revision: number
}

/**
 * List items of products that were shown recently. Each read checks in the database whether they are current, which is
 * much faster than reading the eighty kilobytes of a page again.
 */
export class ItemCache {
  readonly #kept = new LRUCache<string, CachedItem>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ json }) => json.length + OVERHEAD_BYTES,
  })

  /** The list items of these products, in this order, and the version that the listings had then. */
  async find(db: Database, productIds: readonly string[]): Promise<{ version: number; items: Item[] }> {
    const known = new Map(productIds.map((id) => [id, this.#kept.get(id)]))
    const { version, rows } = await findItems(
      db,
      productIds.map((id) => ({ id, revision: known.get(id)?.revision ?? 0 })),
    )
    const current = new Map<string, Item>()
    for (const { id, item, ...row } of rows) {
      const kept = item === null ? known.get(id) : { ...row, json: bytesOf(item) }
      if (!kept) throw new Error(`the list item of ${id} was not read, and is not in the cache`)
      if (item !== null) this.#kept.set(id, kept)
      current.set(id, kept)
    }
    return { version, items: productIds.flatMap((id) => current.get(id) ?? []) }
  }
}

/** Not pooled, because a slice of a shared block would keep the whole block in memory. */
function bytesOf(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

/** Assembles a document from its text and the items in it, which are separated by commas. */
export function withItems(...parts: readonly (string | readonly Item[])[]): Buffer {
  return Buffer.concat(
    parts.flatMap((part) =>
      typeof part === 'string'
        ? Buffer.from(part)
        : part.flatMap(({ json }, index) => (index === 0 ? json : [COMMA, json])),
    ),
  )
}

const COMMA = Buffer.from(',')
