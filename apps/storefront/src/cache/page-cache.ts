import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** A page that was drawn, which all shoppers get. */
export interface DrawnPage {
  status: number
  headers: Readonly<Record<string, string>>
  body: Buffer
  /** What the page shows, by the keys that webhooks purge. */
  keys: ReadonlySet<string>
}

export interface StoredPage extends DrawnPage {
  etag: string
  drawnMs: number
  /** Counts the drawings: one that began earlier never replaces one that began later. */
  order: number
  /** What it shows has changed since: it is sent for a second at most, unless it cannot be drawn again. */
  isPurged: boolean
  /** The body in the encodings that were requested so far. */
  encoded: Map<string, Promise<Buffer>>
}

const FRESH_MS = 60_000
/** During a sale every sold unit purges the lists that show it: a page is drawn at most once in this time. */
const PAUSE_MS = 1000
/** A page this old is sent while it is drawn again. */
const STALE_MS = 10 * 60_000
/** A page this old is sent while the shop does not respond. */
const STALE_IF_ERROR_MS = 24 * 60 * 60_000
/** Pages that are drawn at the same time: more would all be late. */
const MAX_DRAWINGS = 64
/** The body and its compressed copies. */
const COPIES = 2
/** The address, the headers and the keys, also of a redirect without a body. */
const ENTRY_BYTES = 1024

/** More pages are requested than this server can draw at a time. */
class TooManyDrawings extends Error {
  readonly statusCode = 503

  constructor() {
    super('too many pages are being drawn')
  }
}

interface Drawing {
  page: Promise<StoredPage>
  /** Something was purged meanwhile, so the page may already be out of date. */
  isOutdated: boolean
}

/**
 * Keeps drawn pages by their addresses, up to a number of bytes. A page is drawn once, however many requests wait for
 * it.
 */
export class PageCache {
  readonly #pages: LRUCache<string, StoredPage>
  readonly #drawing = new Map<string, Drawing>()
  readonly #now: () => number
  #drawings = 0

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
   * @param draw called when there is no page that may be sent
   * @throws what `draw` throws, when there is not even an old page
   */
  async get(address: string, draw: () => Promise<DrawnPage>): Promise<StoredPage> {
    const page = this.#pages.get(address)
    if (!page) return this.#draw(address, draw)
    const ageMs = this.#now() - page.drawnMs
    if (ageMs < (page.isPurged ? PAUSE_MS : FRESH_MS)) return page
    if (!page.isPurged && ageMs < STALE_MS) {
      // The next request gets what this draws; a failure leaves the old page, which is drawn again then.
      this.#draw(address, draw).catch(() => {})
      return page
    }
    try {
      return await this.#draw(address, draw)
    } catch (error) {
      if (ageMs < STALE_IF_ERROR_MS) return page
      throw error
    }
  }

  /** Has pages that show any of these drawn again, within a second. @param keys `undefined` for all pages */
  purge(keys?: readonly string[]): void {
    for (const drawing of this.#drawing.values()) drawing.isOutdated = true
    for (const page of this.#pages.values()) {
      if (keys === undefined || keys.some((key) => page.keys.has(key))) page.isPurged = true
    }
  }

  #draw(address: string, draw: () => Promise<DrawnPage>): Promise<StoredPage> {
    const running = this.#drawing.get(address)
    // What was purged since must be read again.
    if (running && !running.isOutdated) return running.page
    if (this.#drawing.size >= MAX_DRAWINGS) return Promise.reject(new TooManyDrawings())
    const order = ++this.#drawings
    const drawing: Drawing = {
      isOutdated: false,
      page: draw().then((drawn) => this.#store(address, { drawn, order, isPurged: drawing.isOutdated })),
    }
    this.#drawing.set(address, drawing)
    const done = () => {
      if (this.#drawing.get(address) === drawing) this.#drawing.delete(address)
    }
    drawing.page.then(done, done)
    return drawing.page
  }

  #store(
    address: string,
    { drawn, order, isPurged }: { drawn: DrawnPage; order: number; isPurged: boolean },
  ): StoredPage {
    const etag = `"${createHash('sha1').update(drawn.body).digest('base64url')}"`
    const page: StoredPage = { ...drawn, etag, order, drawnMs: this.#now(), isPurged, encoded: new Map() }
    if ((this.#pages.get(address)?.order ?? 0) < order) this.#pages.set(address, page)
    return page
  }
}
