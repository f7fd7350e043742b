import { isConflict, messageOf } from '../../../shop.ts'
import type { ReadProduct } from '../products-queries.ts'
import { readConflict, type Conflict } from './conflict.ts'
import { issuesOf, takenSkuOf, type Issues } from './issues.ts'
import { changesOf } from './product-changes.ts'
import type { ProductForm } from './product-form.ts'
import { createProduct, updateProduct, type Edit, type Saved } from './save-product.ts'
import { suggestedSku } from './suggestions.ts'

/** An edit of a saved product, or of a new one, which was not read. */
export type AnyEdit = Omit<Edit, 'read'> & { read: ReadProduct | undefined }

export type Attempt =
  | { kind: 'updated'; saved: Saved }
  | { kind: 'created'; created: ReadProduct }
  | { kind: 'issues'; issues: Issues }
  | { kind: 'conflict'; conflict: Conflict }
  | { kind: 'failed'; error: unknown }

/** Saves, and returns the result: invalid fields and edit conflicts are results, not exceptions. */
export async function attemptSave({ read, before, form }: AnyEdit, currency: string): Promise<Attempt> {
  try {
    const changes = changesOf(form, before, currency)
    // Loaded with the first save: it brings the rules of the shop's API.
    const { checkBody } = await import('./check-body.ts')
    const issues = checkBody(changes)
    if (Object.keys(issues).length > 0) return { kind: 'issues', issues }
    if (!read) return { kind: 'created', created: await createProduct(form.title.trim(), changes) }
    return { kind: 'updated', saved: await updateProduct({ read, before, form }, currency) }
  } catch (error) {
    const issues = issuesOf(error) ?? skuIssues(error, form)
    if (issues) return { kind: 'issues', issues }
    if (!read || !isConflict(error)) return { kind: 'failed', error }
    return readConflict({ read, before, form }, currency).then(
      (conflict) => ({ kind: 'conflict', conflict }),
      (failure: unknown) => ({ kind: 'failed', error: failure }),
    )
  }
}

/** The variant whose SKU another product has. */
function skuIssues(error: unknown, { variants, slug }: ProductForm): Issues | undefined {
  const taken = takenSkuOf(error)
  if (taken === undefined) return undefined
  const index = variants.findIndex(({ sku, options }) => (sku || suggestedSku(slug ?? '', options)) === taken)
  return index === -1 ? undefined : { [`variants.${index}.sku`]: messageOf(error) }
}
