import type { RenderedPage, StoredPage } from '../cache/page-cache.ts'
import type { PageContext } from '../layout/page-context.ts'
import { Catalog } from '../shop/catalog.ts'
import { renderDocument, type PageView } from './render-document.tsx'
import { contentPolicy } from './security-headers.ts'
import { sendCompressed } from './send-compressed.ts'
import { pageContext, type App, type Reply, type Request, type Storefront } from './storefront.ts'

export interface CachedRequest {
  params: Readonly<Record<string, string>>
  /** The parameters that the page declares, in their order. */
  query: URLSearchParams
  context: PageContext
  catalog: Catalog
}

export interface Redirect {
  /** A path of this storefront. */
  redirect: string
}

/** A page that is the same for all shoppers: rendered once, and again when a webhook says that a part of it changed. */
interface CachedPage {
  /** As Fastify writes it: `/product/:slug`. */
  route: string
  /** Names of the parameters that change the page: all others are ignored. */
  query?: readonly string[]
  view: (request: CachedRequest) => Promise<PageView | Redirect>
}

const BROTLI_QUALITY = 6

/** A shared cache may keep a page for a minute; a browser checks each time, which costs no body. */
const CACHE_CONTROL = 'public, max-age=0, s-maxage=60, stale-while-revalidate=600, must-revalidate'
/** No filter of a list has a longer value. */
const MAX_PARAMETER = 500

export function cachedPage(app: App, storefront: Storefront, page: CachedPage): void {
  app.get<{ Params: Record<string, string> }>(page.route, async (request, reply) => {
    const query = declaredQuery(request, page.query ?? [])
    const path = request.url.split('?', 1)[0] ?? '/'
    const search = query.toString()
    const address = search === '' ? path : `${path}?${search}`
    const stored = await storefront.cache.get(address, () =>
      render(storefront, page, { params: request.params, query, address }),
    )
    return sendPage(stored, request, reply)
  })
}

/** In one order, so that one page has one address. */
function declaredQuery(request: Request, names: readonly string[]): URLSearchParams {
  const sent = new URLSearchParams(request.url.split('?', 2)[1] ?? '')
  const declared = new URLSearchParams()
  for (const name of names) {
    // A form without script sends a field for each box that is ticked.
    const values = sent.getAll(name).filter((value) => value !== '')
    if (values.length > 0) declared.set(name, values.join(',').slice(0, MAX_PARAMETER))
  }
  return declared
}

async function render(
  storefront: Storefront,
  page: CachedPage,
  { params, query, address }: { params: Record<string, string>; query: URLSearchParams; address: string },
): Promise<RenderedPage> {
  const context = await pageContext(storefront, address)
  const catalog = new Catalog(storefront.shop)
  const view = await page.view({ params, query, context, catalog })
  if ('redirect' in view) {
    return { status: 301, headers: { location: view.redirect }, body: Buffer.alloc(0), keys: catalog.keys }
  }
  const body = Buffer.from(renderDocument(view, context))
  const { styles, inline } = context.assets
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    // Shorter than that of all pages: with it, many pages arrive in one round trip.
    'content-security-policy': contentPolicy(context.assets, {
      styles: view.head.style ? [styles.shop, styles[view.head.style]] : [styles.shop],
      scripts: [inline.loader],
    }),
  }
  return { status: view.status ?? 200, headers, body, keys: catalog.keys }
}

async function sendPage(page: StoredPage, request: Request, reply: Reply): Promise<Reply> {
  void reply
    .code(page.status)
    .headers(page.headers)
    .header('etag', page.etag)
    .header('cache-control', CACHE_CONTROL)
    .header('vary', 'Accept-Encoding')
  if (request.headers['if-none-match'] === page.etag && page.status === 200) return reply.code(304).send()
  return sendCompressed(page, { request, reply, quality: BROTLI_QUALITY })
}
