import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { ImportJob, NDJSON, type ImportRowType } from '@storefront/contracts'
import type { RunningShop } from '@storefront/tools/launch'

const Token = z.object({ token: z.string() })

/** An admin who writes the catalog and works on orders. */
export interface Merchant {
  /** Calls a route of the admin; throws with the shop's response when it rejects. */
  call(method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown): Promise<unknown>
  /** Imports over POST /admin/import; throws with the shop's response when it rejects. */
  importCatalog(body: { mode: 'merge' | 'replace'; [part: string]: unknown }): Promise<void>
  /** Imports rows as they are made, in one go. @param applied is called now and then with the number of applied rows */
  importRows(rows: Iterable<ImportRow>, applied: (rows: number) => void): Promise<void>
  /** Has events of these types sent to another address as well. */
  addEndpoint(endpoint: { url: string; types: string[] }): Promise<void>
}

export interface ImportRow {
  type: ImportRowType
  data: unknown
}

const POLL_MS = 200

export async function signInMerchant(shop: RunningShop): Promise<Merchant> {
  const credentials = { email: shop.adminEmail, password: shop.adminPassword }
  const { token } = Token.parse(
    await request(`${shop.url}/admin/auth/login`, { method: 'POST', body: JSON.stringify(credentials) }),
  )
  const call: Merchant['call'] = (method, path, body) =>
    request(`${shop.url}${path}`, { method, token, ...(body !== undefined && { body: JSON.stringify(body) }) })
  return {
    call,
    async importCatalog(body) {
      await call('POST', '/admin/import', body)
    },
    async addEndpoint(endpoint) {
      await call('POST', '/admin/webhooks', endpoint)
    },
    async importRows(rows, applied) {
      const body = ReadableStream.from(linesOf(rows))
      let job = ImportJob.parse(
        await request(`${shop.url}/admin/import?async=1`, { method: 'POST', body, token, type: NDJSON }),
      )
      while (job.finishedAt === undefined) {
        await setTimeout(POLL_MS)
        job = ImportJob.parse(await call('GET', `/admin/import/${job.id}`))
        applied(job.progress.rowsApplied)
      }
      if (job.status !== 'done')
        throw new Error(`the import ${job.status}: ${JSON.stringify(job.issues ?? job.failure)}`)
    },
  }
}

function* linesOf(rows: Iterable<ImportRow>): Generator<Uint8Array> {
  const encoder = new TextEncoder()
  for (const row of rows) yield encoder.encode(`${JSON.stringify(row)}\n`)
}

async function request(
  url: string,
  {
    method,
    body,
    token,
    type = 'application/json',
  }: { method: string; body?: string | ReadableStream; token?: string; type?: string },
): Promise<unknown> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': type }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    // The Fetch standard requires `duplex` for a stream.
    ...(body !== undefined && { body, duplex: 'half' as const }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${url} responded with ${response.status}: ${text}`)
  return JSON.parse(text)
}
