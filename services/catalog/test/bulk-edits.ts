import { sql } from 'kysely'
import { expect } from 'vitest'
import { transaction } from '@storefront/postgres'
import { AdminProduct, BulkEdit, BulkEditPreview } from '@storefront/contracts'
import { waitFor, type Suite } from '@storefront/tools/testing'
import type { RunningCatalog } from '../src/start.ts'
import { importCatalogue, shirt } from './catalog.ts'
import { openWriter } from './save-meanwhile.ts'

const PATH = '/admin/products/bulk'

/** A change that puts products on sale. */
export const SALE = { kind: 'price', percent: -20, keepAsCompareAt: true }

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** The requests of a merchant who changes many products. */
export function bulkEditsOf(running: () => { suite: Suite; catalog: RunningCatalog }) {
  async function send(method: Method, url: string, payload?: object, headers: Record<string, string> = {}) {
    const { suite, catalog } = running()
    const sent = { ...suite.headers.admin(), ...headers }
    return catalog.app.inject({ method, url, headers: sent, ...(payload && { payload }) })
  }

  const read = async (id: string) => BulkEdit.parse((await send('GET', `${PATH}/${id}`)).json())

  async function start(products: object, change: object): Promise<BulkEdit> {
    const response = await send('POST', PATH, { products, change })
    expect(response.statusCode, response.payload).toBe(202)
    return BulkEdit.parse(response.json())
  }

  const finished = ({ id }: { id: string }) =>
    waitFor('the bulk edit', async () => {
      const edit = await read(id)
      return edit.finishedAt !== undefined && edit
    })

  async function undo({ id }: { id: string }): Promise<BulkEdit> {
    const response = await send('POST', `${PATH}/${id}/undo`)
    expect(response.statusCode, response.payload).toBe(202)
    return finished(BulkEdit.parse(response.json()))
  }

  return {
    send,
    read,
    start,
    finished,
    undo,
    run: async (products: object, change: object) => finished(await start(products, change)),
    cancel: ({ id }: { id: string }) => send('DELETE', `${PATH}/${id}`),
    preview: async (products: object, change: object): Promise<BulkEditPreview> => {
      const response = await send('POST', `${PATH}/preview`, { products, change })
      expect(response.statusCode, response.payload).toBe(200)
      return BulkEditPreview.parse(response.json())
    },
    product: async (id: string) => AdminProduct.parse((await send('GET', `/admin/products/${id}`)).json()),
    patch: async (id: string, change: object): Promise<void> => {
      const response = await send('PATCH', `/admin/products/${id}`, change)
      expect(response.statusCode, response.payload).toBe(200)
    },
    /** Makes these the only products, with their slugs as ids. */
    put: async (slugs: readonly string[], more: Record<string, unknown> = {}, rest: Record<string, unknown> = {}) => {
      const products = slugs.map((slug) => ({ id: slug, ...shirt(slug, more) }))
      const { suite, catalog } = running()
      const response = await importCatalogue(catalog.app, suite, { mode: 'replace', products, ...rest })
      expect(response.statusCode, response.payload).toBe(200)
    },
  }
}

/** `shirt-0000`, `shirt-0001` and so on: ids in the order in which a bulk edit processes them. */
export const manyIds = (count: number) =>
  Array.from({ length: count }, (_, index) => `shirt-${String(index).padStart(4, '0')}`)

/** Does something while another connection locks these rows. */
export async function whileLocked<Result>(suite: Suite, rows: string, work: () => Promise<Result>): Promise<Result> {
  const writer = openWriter(suite)
  try {
    return await transaction(writer, async (tx) => {
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
      await sql.raw(`select 1 from ${rows} for update`).execute(tx)
      return work()
    })
  } finally {
    await writer.destroy()
  }
}
