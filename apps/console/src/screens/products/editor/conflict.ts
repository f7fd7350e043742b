import { readLastChange, type Change } from '../../../parts/last-change.ts'
import { readProduct, type ReadProduct } from '../products-queries.ts'
import { changesOf } from './product-changes.ts'
import { formOf } from './product-form.ts'
import type { Edit } from './save-product.ts'
import { stockChanges } from './variant-changes.ts'

/** Someone saved the product after it was read here. */
export interface Conflict {
  theirs: ReadProduct
  /** Who it was, and when; undefined when only the stock changed. */
  by: Change | undefined
  theirFields: readonly string[]
  myFields: readonly string[]
}

/** Reads what others have done in the meantime. */
export async function readConflict(edit: Edit, currency: string): Promise<Conflict> {
  const { id, version } = edit.read.product
  const [theirs, last] = await Promise.all([readProduct(id), readLastChange('product', id)])
  const theirForm = formOf(theirs.product)
  return {
    theirs,
    by: theirs.product.version === version ? undefined : last,
    theirFields: fieldsOf({ ...edit, form: theirForm }, currency),
    myFields: fieldsOf(edit, currency),
  }
}

function fieldsOf({ form, before }: Edit, currency: string): string[] {
  const fields = Object.keys(changesOf(form, before, currency))
  return stockChanges(form, before).length > 0 ? [...fields, 'stock'] : fields
}
