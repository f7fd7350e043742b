import { StorefrontError, type StorefrontClient } from '@storefront/client'
import type { ComponentChildren } from 'preact'
import type { PageContext } from '../layout/page-context.ts'
import { Catalog } from '../shop/catalog.ts'
import { renderDocument, renderFragment, type PageView } from './render-document.tsx'
import { pageContext, shopFor, type App, type Reply, type Request, type Storefront } from './storefront.ts'
import { keepBag, keepPayment, keepSession, readVisitor, showCount, type Payment, type Visitor } from './visitor.ts'

/** One request of one shopper, with what a page needs to reply to it. */
export interface LiveRequest extends Visitor {
  /** Makes requests for this shopper. */
  shop: StorefrontClient
  /** The same for a customer who has just signed in. */
  shopOf: (token: string) => StorefrontClient
  /** The same without the session of a customer: the shop accepts the token of an order only without one. */
  guest: StorefrontClient
  catalog: Catalog
  context: PageContext
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  /** Of the page with the form or link. */
  referrer: string | undefined
  /** The fields of a form. */
  form: URLSearchParams
  /** Has the browser keep its bag, or delete it. */
  setBag: (id: string | undefined) => void
  /** Shows how many pieces the bag has. */
  showCount: (lines: readonly { quantity: number }[]) => void
  /** Has the browser keep a session, or end it. */
  setSession: (token: string | undefined) => void
  /** Has the browser keep a payment at a provider until it comes back, or delete it. */
  setPayment: (payment: Payment | undefined) => void
  /** Reads a header of the request. @param name in lower case */
  header: (name: string) => string | undefined
  /** Has a script put the response into another place than its own. @param place a CSS selector */
  moveTo: (place: string) => void
  /** Sets a header of the response: for htmx, or for the policy of a page. */
  setResponseHeader: (name: string, value: string) => void
}

/** A whole page; to a script only its body is sent, which the script puts into the page. */
export type LiveResult = PageView | { redirect: string } | { fragment: ComponentChildren; status?: number }

interface LivePage {
  method?: 'GET' | 'POST'
  /** As Fastify writes it: `/order/:id`. */
  route: string
  view: (request: LiveRequest) => Promise<LiveResult>
}

interface OwnPage {
  head: PageView['head']
  status?: number
  class?: 'message-page' | 'page'
  /** What it shows below its title, if that is more than the part. */
  contents?: ComponentChildren
}

/** What a script puts into the page that is shown; without one it has a page of its own. */
export function partOrPage({ hasScript }: LiveRequest, part: ComponentChildren, page: OwnPage): LiveResult {
  const { head, status = 200, class: kind = 'message-page', contents = part } = page
  if (hasScript) return { fragment: part, status }
  return {
    status,
    head,
    body: (
      <section class={kind}>
        <h1>{head.title}</h1>
        {contents}
      </section>
    ),
  }
}

/** A page of one shopper, which no cache keeps. */
export function livePage(app: App, storefront: Storefront, page: LivePage): void {
  app.route<{ Params: Record<string, string> }>({
    method: page.method ?? 'GET',
    url: page.route,
    handler: async (request, reply) => {
      const visitor = readVisitor(request)
      void reply.header('cache-control', 'private, no-store')
      const live = await liveRequestOf(storefront, request, reply, visitor)
      const result = await page.view(live).catch((error: unknown) => problemFor(error, live))
      return send(result, live, reply)
    },
  })
}

async function liveRequestOf(
  storefront: Storefront,
  request: Request & { params: Record<string, string> },
  reply: Reply,
  visitor: Visitor,
): Promise<LiveRequest> {
  const isSecure = storefront.config.STOREFRONT_URL.startsWith('https:')
  return {
    ...visitor,
    shop: shopFor(storefront, request, visitor.token),
    shopOf: (token) => shopFor(storefront, request, token),
    guest: shopFor(storefront, request),
    catalog: new Catalog(storefront.shop),
    context: await pageContext(storefront, request.url),
    params: request.params,
    query: new URLSearchParams(request.url.split('?', 2)[1] ?? ''),
    referrer: request.headers.referer,
    form: formOf(request.body),
    setBag: (id) => keepBag(visitor, reply, id, isSecure),
    showCount: (lines) => showCount(reply, lines),
    setSession: (token) => keepSession(visitor, reply, token, isSecure),
    setPayment: (payment) => keepPayment(reply, payment, isSecure),
    header: (name) => [request.headers[name]].flat().at(0),
    moveTo: (place) => void reply.header('hx-retarget', place).header('hx-reswap', 'innerHTML'),
    setResponseHeader: (name, value) => void reply.header(name, value),
  }
}

function formOf(body: unknown): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams()
}

/**
 * What a script shows for an error that the page itself has no place for: its sentence above the page, which stays as
 * it is. A page without script is an error page.
 */
function problemFor(error: unknown, request: LiveRequest): LiveResult {
  if (!(error instanceof StorefrontError) || !request.hasScript) throw error
  request.moveTo('#notice')
  const message = request.context.language.error(error)
  return { fragment: <p class="notice notice-problem">{message}</p>, status: error.status ?? 503 }
}

function send(result: LiveResult, { hasScript, context }: LiveRequest, reply: Reply): Reply {
  if ('redirect' in result) {
    return hasScript ? reply.header('hx-redirect', result.redirect).send('') : reply.redirect(result.redirect, 303)
  }
  void reply.code(result.status ?? 200).type('text/html; charset=utf-8')
  if ('fragment' in result) return reply.send(renderFragment(result.fragment, context))
  return reply.send(hasScript ? renderFragment(result.body, context) : renderDocument(result, context))
}
