import type { OutgoingHttpHeaders } from 'node:http'
import { expect } from 'vitest'
import { z } from 'zod'
import type { App } from '@storefront/http'
import { type Clock, readConfig } from '@storefront/service'
import { ErrorBody, Product } from '@storefront/contracts'
import type { Suite } from '@storefront/tools/testing'
import { CatalogConfig } from '../src/config.ts'
import { startCatalog, type RunningCatalog } from '../src/start.ts'

export const PUBLIC_URL = 'http://shop.test'

/** For tests that wait for polls. They would only slow down other tests. */
export const FREQUENT_POLLS = { POLL_INTERVAL_MS: '250' }

/** Starts the whole service on a free port, in the suite's namespace, and stops it with the suite. */
export async function startTestCatalog(
  suite: Suite,
  env: Record<string, string> = {},
  clock?: Clock,
): Promise<RunningCatalog> {
  const config = readConfig(CatalogConfig, {
    ...suite.env('catalog'),
    POLL_INTERVAL_MS: '30000',
    PUBLIC_URL,
    PORT: '0',
    ...env,
  })
  const catalog = await startCatalog(config, suite.log, clock)
  let stopped: Promise<void> | undefined
  const running = { ...catalog, stop: () => (stopped ??= catalog.stop()) }
  suite.stopFirst(running)
  return running
}

export const usd = (amount: number) => ({ amount, currency: 'USD' })

/** A product with one variant per size, ten of each by default. */
export function shirt(slug: string, options: { sizes?: string[]; inventory?: number; [key: string]: unknown } = {}) {
  const { sizes = ['S', 'M'], inventory = 10, ...rest } = options
  return {
    slug,
    title: `Shirt ${slug}`,
    price: usd(4000),
    options: [{ name: 'Size', values: sizes }],
    variants: sizes.map((size) => ({ sku: `${slug}-${size}`.toUpperCase(), options: { Size: size }, inventory })),
    ...rest,
  }
}

/** Imports as a merchant would. */
export async function importCatalogue(app: App, suite: Suite, body: Record<string, unknown>) {
  return app.inject({
    method: 'POST',
    url: '/admin/import',
    headers: suite.headers.admin(),
    payload: { mode: 'merge', ...body },
  })
}

/** Imports records, and expects that they are accepted. */
export async function fill(app: App, suite: Suite, body: Record<string, unknown>): Promise<void> {
  const response = await importCatalogue(app, suite, body)
  expect(response.statusCode, response.payload.slice(0, 500)).toBe(200)
}

/** Imports a file, a CSV by default. */
export async function importFile(
  app: App,
  suite: Suite,
  payload: string | Buffer,
  { type = 'text/csv', query = '' }: { type?: string | undefined; query?: string } = {},
) {
  return app.inject({
    method: 'POST',
    url: `/admin/import${query}`,
    headers: { ...suite.headers.admin(), 'content-type': type },
    payload,
  })
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** Sends a text, which need not be JSON, as the body of a merchant's request, and returns the reply. */
export async function sendAsAdmin(
  app: App,
  suite: Suite,
  method: Method,
  url: string,
  payload?: unknown,
  headers: Record<string, string> = {},
) {
  const response = await injectAsAdmin(app, suite, method, url, { payload, headers })
  return { status: response.statusCode, headers: response.headers, body: response.json() }
}

/** The same, but returns the raw response. */
export function injectAsAdmin(
  app: App,
  suite: Suite,
  method: Method,
  url: string,
  { headers, payload }: { headers?: Record<string, string> | undefined; payload?: unknown } = {},
) {
  return app.inject({
    method,
    url,
    headers: {
      ...suite.headers.admin(),
      ...(payload !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(payload !== undefined && { payload: typeof payload === 'string' ? payload : JSON.stringify(payload) }),
  })
}

type AuditedFields = Record<string, unknown> | null

/** Who changed a record and how, oldest first. */
export const auditOf = (suite: Suite, kind: string, id: string) =>
  suite.sql<{ action: string; actor: string; before: AuditedFields; after: AuditedFields }>(
    `select action, actor, before, after from catalog.audit_entries
     where subject_kind = $1 and subject_id = $2 order by id`,
    [kind, id],
  )

/** The keys that a response purges from the caches. */
export const purgedBy = (headers: OutgoingHttpHeaders) => String(headers['surrogate-purge']).split(' ')

/** The reply to a request of a shopper who is not signed in. */
export async function getAsShopper(app: App, url: string) {
  const response = await app.inject({ url })
  return { status: response.statusCode, headers: response.headers, body: response.json() }
}

/** The page of a product that shoppers see. */
export async function pageOf(app: App, slug: string): Promise<Product> {
  const response = await app.inject({ url: `/products/${slug}` })
  expect(response.statusCode, response.payload).toBe(200)
  return Product.parse(response.json())
}

/** The body of an error that names each fault of a request. */
export const RejectedBody = ErrorBody.extend({
  detail: z.object({ issues: z.array(z.object({ path: z.string(), message: z.string() })) }),
})

interface Reply {
  statusCode: number
  payload: string
  json: () => unknown
}

/** The faults of a request that must be rejected. */
export function issuesOf(reply: Reply): { path: string; message: string }[] {
  expect(reply.statusCode, reply.payload.slice(0, 500)).toBe(422)
  return RejectedBody.parse(reply.json()).detail.issues
}

/** The faults of a request that must be rejected, each as one text. */
export const issueTextsOf = (reply: Reply) => issuesOf(reply).map(({ path, message }) => `${path}: ${message}`)
