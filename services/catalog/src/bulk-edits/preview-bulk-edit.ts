import { chunksOf } from '@storefront/service'
import { snapshot, transaction } from '@storefront/postgres'
import type { App } from '@storefront/http'
import {
  BulkEditRequest,
  BulkEditPreview,
  MAX_BULK_EDIT_PROBLEMS,
  MAX_BULK_EDIT_SAMPLES,
  type BulkEditChange,
} from '@storefront/contracts'
import type { Database } from '../database.ts'
import { deletedProduct, problemOf } from './decide-edits.ts'
import { differencesOf } from './edited-fields.ts'
import { editedProduct } from './edited-product.ts'
import { findEditable } from './edited-products.queries.ts'
import { assertPossible, findSelected } from './select-products.ts'

/** Products in memory at once. */
const CHUNK = 1000

export function previewBulkEditRoute(app: App, { db }: { db: Database }): void {
  app.post('/admin/products/bulk/preview', {
    config: { access: { admin: 'catalog:read' } },
    schema: {
      summary: 'What a bulk edit would change',
      description:
        'Takes the body of POST /admin/products/bulk and changes nothing. The products are compared as they are now: ' +
        'the bulk edit compares them again, each when its turn comes.',
      body: BulkEditRequest,
      response: { 200: BulkEditPreview },
    },
    handler: async ({ body }) => {
      await transaction(db, (tx) => assertPossible(tx, body.change))
      return snapshot(db, async (reader) => preview(reader, await findSelected(reader, body.products), body.change))
    },
  })
}

async function preview(db: Database, ids: readonly string[], change: BulkEditChange): Promise<BulkEditPreview> {
  const result: BulkEditPreview = { total: ids.length, changed: 0, unchanged: 0, failed: 0, sample: [], problems: [] }
  for (const chunk of chunksOf(ids, CHUNK)) {
    const products = new Map((await findEditable(db, chunk)).map((product) => [product.id, product]))
    for (const id of chunk) {
      const product = products.get(id)
      const edit = product && differencesOf(product, editedProduct(product, change))
      const problem = product ? edit && problemOf(product, edit) : deletedProduct(id)
      if (problem) {
        result.failed++
        if (result.problems.length < MAX_BULK_EDIT_PROBLEMS) result.problems.push(problem)
      } else if (product && edit) {
        result.changed++
        if (result.sample.length < MAX_BULK_EDIT_SAMPLES) result.sample.push({ id, title: product.title, ...edit })
      } else result.unchanged++
    }
  }
  return result
}
