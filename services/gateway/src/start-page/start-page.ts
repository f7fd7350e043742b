import escapeHtml from 'escape-html'
import type { FastifyInstance } from 'fastify'
import { htmlPage, pageStyle } from '@storefront/http'
import type { Clock } from '@storefront/service'

const PROBE_MS = 800
/** The storefronts get at most one request in this time, however many visitors this page has. */
const REMEMBERED_MS = 5000

const STYLE = pageStyle(`main{box-sizing:border-box;max-width:34rem;margin:0 auto;padding:12vh 1.5rem 3rem}
h1{margin-bottom:.75rem}
p{margin:0 0 1.5rem}
ul{margin:0;padding:0;list-style:none;border-top:1px solid GrayText}
li{padding:.75rem 0;border-bottom:1px solid GrayText}
a{font-weight:600;color:LinkText}
span{display:block;color:GrayText}`)
const CONTENT_POLICY =
  `default-src 'none'; style-src ${STYLE.source}; ` +
  "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

interface Link {
  name: string
  address: string
  about: string
}

/** A page for browsers with links to the storefront, the console and the documentation. */
export function startPageRoute(
  app: FastifyInstance,
  { basePath, storefronts, clock }: { basePath: string; storefronts: readonly string[]; clock: Clock },
): void {
  let remembered: { running: Promise<string[]>; untilMs: number } | undefined

  app.get('/', async (request, reply) => {
    const now = clock.now().getTime()
    if (!remembered || remembered.untilMs <= now) {
      remembered = { running: runningOf(storefronts), untilMs: now + REMEMBERED_MS }
    }
    const links = linksTo(basePath, await remembered.running)
    reply.header('cache-control', 'no-store')
    if (!prefersHtml(request.headers.accept)) {
      return reply.send({
        name: 'Storefront Commerce API',
        links: links.map(({ name, address }) => ({ name, address })),
      })
    }
    return reply.header('content-security-policy', CONTENT_POLICY).type('text/html; charset=utf-8').send(pageOf(links))
  })
}

function linksTo(basePath: string, storefronts: readonly string[]): Link[] {
  return [
    ...storefronts.map((address) => ({ name: 'Storefront', address, about: `The shop for buyers: ${address}` })),
    { name: 'Console', address: `${basePath}/console`, about: 'For merchants: orders, products, stock and settings' },
    { name: 'API documentation', address: `${basePath}/docs`, about: 'Every route, with examples to copy' },
    { name: 'API description', address: `${basePath}/openapi.json`, about: 'OpenAPI 3.1, for programs' },
    {
      name: 'Status of the services',
      address: `${basePath}/readyz`,
      about: 'Whether every service is ready',
    },
  ]
}

/** @returns the origins that respond */
async function runningOf(origins: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    origins.map(async (origin) => {
      const probe = { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(PROBE_MS) } as const
      return fetch(origin, probe).then(
        () => [origin],
        () => [],
      )
    }),
  )
  return found.flat()
}

/** Browsers request HTML; programs request JSON, anything, or nothing. */
function prefersHtml(accept: string | undefined): boolean {
  return accept?.includes('text/html') === true
}

function pageOf(links: readonly Link[]): string {
  const items = links.map(
    ({ name, address, about }) =>
      `<li><a href="${escapeHtml(address)}">${escapeHtml(name)}</a><span>${escapeHtml(about)}</span></li>`,
  )
  const content = `<h1>The shop is running</h1>
<p>This is its API: storefronts, merchants’ programs and payment providers call it, and it responds with JSON. You can open:</p>
<ul>
${items.join('\n')}
</ul>`
  return htmlPage({ title: 'Storefront Commerce API', style: STYLE, content })
}
