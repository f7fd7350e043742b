import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** A page that was rendered, which all shoppers get. */
export interface RenderedPage {
  status: number
  headers: Readonly<Record<string, string>>
  body: Buffer
  /** What the page shows, by the keys that webhooks purge. */
  keys: ReadonlySet<string>
}

export interface StoredPage extends RenderedPage {
  etag: string
  renderedMs: number
  /** Counts the renderings: one that began earlier never replaces one that began later. */
  order: number
  /** What it shows has changed since: it is sent for a second at most, unless it cannot be rendered again. */
  isPurged: boolean
  /** The body in the encodings that were requested so far. */
  encoded: Map<string, Promise<Buffer>>
}

const FRESH_MS = 60_000
/** During a sale every sold unit purges the lists that show it: a page is rendered at most once in this time. */
const PAUSE_MS = 1000
/** A page this old is sent while it is rendered again. */
const STALE_MS = 10 * 60_000
/** A page this old is sent while the shop does not respond. */
const STALE_IF_ERROR_MS = 24 * 60 * 60_000
/** Pages that are rendered at the same time: more would all be late. */
const MAX_RENDERINGS = 64
/** The body and its compressed copies. */
const COPIES = 2
/** The address, the headers and the keys, also of a redirect without a body. */
const ENTRY_BYTES = 1024

/** More pages are requested than this server can render at a time. */
class TooManyRenderings extends Error {
  readonly statusCode = 503

  constructor() {
    super('too many pages are being rendered')
  }
}

interface Rendering {
  page: Promise<StoredPage>
  /** Something was purged meanwhile, so the page may already be out of date. */
  isOutdated: boolean
}

/**
 * Keeps rendered pages by their addresses, up to a number of bytes. A page is rendered once, however many requests wait
 * for it.
 */
export class PageCache {
  readonly #pages: LRUCache<string, StoredPage>
  readonly #rendering = new Map<string, Rendering>()
  readonly #now: () => number
  #renderings = 0

  /** @param bytes of memory for pages @param now milliseconds */
  constructor(bytes: number, now: () => number = Date.now) {
    this.#now = now
    this.#pages = new LRUCache({
      maxSize: bytes,
      maxEntrySize: Math.ceil(bytes / 4),
      sizeCalculation: ({ body }) => body.length * COPIES + ENTRY_BYTES,
    })
  }

  /**
   * @param render called when there is no page that may be sent
   * @throws what `render` throws, when there is not even an old page
   */
  async get(address: string, render: () => Promise<RenderedPage>): Promise<StoredPage> {
    const page = this.#pages.get(address)
    if (!page) return this.#render(address, render)
    const ageMs = this.#now() - page.renderedMs
    if (ageMs < (page.isPurged ? PAUSE_MS : FRESH_MS)) return page
    if (!page.isPurged && ageMs < STALE_MS) {
      // The next request gets what this renders; a failure leaves the old page, which is rendered again then.
      this.#render(address, render).catch(() => {})
      return page
    }
    try {
      return await this.#render(address, render)
    } catch (error) {
      if (ageMs < STALE_IF_ERROR_MS) return page
      throw error
    }
  }

  /** Has pages that show any of these rendered again, within a second. @param keys `undefined` for all pages */
  purge(keys?: readonly string[]): void {
    for (const rendering of this.#rendering.values()) rendering.isOutdated = true
    for (const page of this.#pages.values()) {
      if (keys === undefined || keys.some((key) => page.keys.has(key))) page.isPurged = true
    }
  }

  #render(address: string, render: () => Promise<RenderedPage>): Promise<StoredPage> {
    const running = this.#rendering.get(address)
    // What was purged since must be read again.
    if (running && !running.isOutdated) return running.page
    if (this.#rendering.size >= MAX_RENDERINGS) return Promise.reject(new TooManyRenderings())
    const order = ++this.#renderings
    const rendering: Rendering = {
      isOutdated: false,
      page: render().then((rendered) => this.#store(address, { rendered, order, isPurged: rendering.isOutdated })),
    }
    this.#rendering.set(address, rendering)
    const done = () => {
      if (this.#rendering.get(address) === rendering) this.#rendering.delete(address)
    }
    rendering.page.then(done, done)
    return rendering.page
  }

  #store(
    address: string,
    { rendered, order, isPurged }: { rendered: RenderedPage; order: number; isPurged: boolean },
  ): StoredPage {
    const etag = `"${createHash('sha1').update(rendered.body).digest('base64url')}"`
    const page: StoredPage = { ...rendered, etag, order, renderedMs: this.#now(), isPurged, encoded: new Map() }
    if ((this.#pages.get(address)?.order ?? 0) < order) this.#pages.set(address, page)
    return page
  }
}
