import { pipeline, Readable } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { INFORMATION_PATHS } from '../pages/information/information-pages.tsx'
import type { App, Reply, Request, Storefront } from '../server/storefront.ts'
import type { Category } from '../shop/catalog.ts'
import { FollowedBytes } from './followed-bytes.ts'
import { countProductParts, productPart } from './sitemap-products.ts'
import { SITEMAP_END, SITEMAP_START, sitemapEntry, sitemapIndex } from './sitemap-xml.ts'

const HOUR_MS = 3_600_000
/** A part takes about half a megabyte, compressed: these are those of 900,000 products. */
const MAX_PARTS = 20
const PART = /^products-([1-9]\d{0,3})\.xml$/

/** An index and its parts, each kept for an hour. */
export function sitemapRoutes(app: App, storefront: Storefront): void {
  const files = new SitemapFiles()
  const options = { compress: false } as const
  app.get('/sitemap.xml', options, (request, reply) => {
    const file = files.get('index', () => indexText(storefront))
    return send(request, reply, file)
  })
  app.get('/sitemap-pages.xml', options, (request, reply) => {
    const file = files.get('pages', () => pagesText(storefront))
    return send(request, reply, file)
  })
  app.get<{ Params: { file: string } }>('/sitemap-:file', options, async (request, reply) => {
    const part = Number(PART.exec(request.params.file)?.[1] ?? 0)
    // The number of products is checked first: otherwise each invalid number would read a page of the shop's list.
    if (part === 0 || part > (await countProductParts(storefront))) return reply.callNotFound()
    const file = files.get(String(part), () => productPart(storefront, part))
    return send(request, reply, file)
  })
}

/** Files that are made when they are wanted, one at a time, so that a crawler does not slow the shop down. */
class SitemapFiles {
  readonly #files = new LRUCache<string, FollowedBytes>({ max: MAX_PARTS, ttl: HOUR_MS })
  #last: Promise<unknown> = Promise.resolve()

  get(name: string, make: () => AsyncIterable<string>): FollowedBytes {
    const known = this.#files.get(name)
    if (known) return known
    const file = new FollowedBytes(compressed(afterwards(this.#last, make)))
    this.#last = file.ended
    this.#files.set(name, file)
    void file.ended.then(({ isWhole }) => {
      if (!isWhole && this.#files.peek(name) === file) this.#files.delete(name)
    })
    return file
  }
}

async function* afterwards(before: Promise<unknown>, make: () => AsyncIterable<string>): AsyncGenerator<string> {
  await before
  yield* make()
}

function compressed(texts: AsyncIterable<string>): AsyncIterable<Uint8Array> {
  const gzip = createGzip()
  // A failure of the texts ends the compressed bytes with the same error.
  return pipeline(Readable.from(texts), gzip, () => {})
}

function send(request: Request, reply: Reply, file: FollowedBytes): Reply {
  void reply
    .type('application/xml; charset=utf-8')
    .header('cache-control', 'public, max-age=3600')
    .header('vary', 'Accept-Encoding')
  const bytes = Readable.from(file.read())
  if (/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) {
    return reply.header('content-encoding', 'gzip').send(bytes)
  }
  return reply.send(pipeline(bytes, createGunzip(), () => {}))
}

async function* indexText(storefront: Storefront): AsyncGenerator<string> {
  const url = storefront.config.STOREFRONT_URL
  const parts = await countProductParts(storefront)
  const products = Array.from({ length: parts }, (_, index) => `${url}/sitemap-products-${index + 1}.xml`)
  yield sitemapIndex([`${url}/sitemap-pages.xml`, ...products])
}

async function* pagesText(storefront: Storefront): AsyncGenerator<string> {
  const { categories, collections } = await storefront.frames.read()
  const paths = [
    '/',
    '/shop',
    ...slugsOf(categories).map((slug) => `/shop/${encodeURIComponent(slug)}`),
    ...collections.map(({ slug }) => `/collections/${encodeURIComponent(slug)}`),
    ...INFORMATION_PATHS,
  ]
  yield SITEMAP_START
  for (const path of paths) yield sitemapEntry({ address: `${storefront.config.STOREFRONT_URL}${path}` })
  yield SITEMAP_END
}

function slugsOf(categories: readonly Category[]): string[] {
  return categories.flatMap(({ slug, children }) => [slug, ...slugsOf(children ?? [])])
}
