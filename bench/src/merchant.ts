import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { ImportJob, NDJSON, type ImportRowType } from '@storefront/contracts'
import type { RunningShop } from '@storefront/tools/launch'

const Token = z.object({ token: z.string() })

/** An admin who writes the catalog. */
export interface Merchant {
  /** Imports over POST /admin/import; throws with the shop's response when it rejects. */
  importCatalogue(body: { mode: 'merge' | 'replace'; [part: string]: unknown }): Promise<void>
  /**
   * Imports rows as they are made, in one go.
   * @param applied is called now and then with the number of applied rows
   */
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
  const { token } = Token.parse(
    await post(
      `${shop.url}/admin/auth/login`,
      JSON.stringify({ email: shop.adminEmail, password: shop.adminPassword }),
    ),
  )
  return {
    async importCatalogue(body) {
      await post(`${shop.url}/admin/import`, JSON.stringify(body), { token })
    },
    async addEndpoint(endpoint) {
      await post(`${shop.url}/admin/webhooks`, JSON.stringify(endpoint), { token })
    },
    async importRows(rows, applied) {
      const lines = ReadableStream.from(linesOf(rows))
      let job = ImportJob.parse(await post(`${shop.url}/admin/import?async=1`, lines, { token, type: NDJSON }))
      while (job.finishedAt === undefined) {
        await setTimeout(POLL_MS)
        const headers = { authorization: `Bearer ${token}` }
        job = ImportJob.parse(await (await fetch(`${shop.url}/admin/import/${job.id}`, { headers })).json())
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

async function post(
  url: string,
  body: string | ReadableStream,
  { token, type = 'application/json' }: { token?: string; type?: string } = {},
): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': type, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
    body,
    // The Fetch standard requires it for a stream.
    duplex: 'half',
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`)
  return JSON.parse(text)
}
