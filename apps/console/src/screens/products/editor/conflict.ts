import { shop } from '../../../shop.ts'
import { readProduct, type ReadProduct } from '../products-queries.ts'
import { changesOf } from './product-changes.ts'
import { formOf } from './product-form.ts'
import type { Edit } from './save-product.ts'
import { stockChanges } from './variant-changes.ts'

/** Someone saved the product after it was read here. */
export interface Conflict {
  theirs: ReadProduct
  /** Who it was, and when; undefined when only the stock changed. */
  by: { name: string | undefined; isSchedule: boolean; at: string } | undefined
  theirFields: readonly string[]
  myFields: readonly string[]
}

/** Reads what others have done in the meantime. */
export async function readConflict(edit: Edit, currency: string): Promise<Conflict> {
  const { id, version } = edit.read.product
  const query = { kind: 'product' as const, id, per_page: 1 }
  const [theirs, audit] = await Promise.all([
    readProduct(id),
    // Without the name the person can still decide.
    shop.get('/admin/audit', { params: { query } }).catch(() => undefined),
  ])
  const last = audit?.items[0]
  const theirForm = formOf(theirs.product)
  return {
    theirs,
    by:
      last && theirs.product.version !== version
        ? { name: last.by.name ?? undefined, isSchedule: last.by.kind === 'schedule', at: last.at }
        : undefined,
    theirFields: fieldsOf({ ...edit, form: theirForm }, currency),
    myFields: fieldsOf(edit, currency),
  }
}

function fieldsOf({ form, before }: Edit, currency: string): string[] {
  const fields = Object.keys(changesOf(form, before, currency))
  return stockChanges(form, before).length > 0 ? [...fields, 'stock'] : fields
}
