import type { BulkEditFields, BulkEditProblem } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import { holdCategories } from '../products/admin-products.queries.ts'
import type { RawProduct } from '../products/raw-product.ts'
import type { StoredBulkEdit } from './bulk-edits.queries.ts'
import { differencesOf, undoneFields, type Edit, type EditableProduct } from './edited-fields.ts'
import { editedProduct, faultOf } from './edited-product.ts'
import { findEdits } from './edited-products.queries.ts'

/** The fields to write, or the problem that prevents it; undefined when the product does not change. */
type Decision = { fields: BulkEditFields } | { problem: BulkEditProblem } | undefined

interface Decisions {
  /** The fields to write, by product. */
  fields: Map<string, BulkEditFields>
  problems: BulkEditProblem[]
}

interface Plan {
  decide: (product: RawProduct) => Decision
  /** The categories that it may add to them and that exist. */
  categories: ReadonlySet<string>
}

/**
 * Reads what a bulk edit needs to know about these products. The categories that it adds may have been deleted since it
 * was requested; existing ones stay until the transaction ends. Call this before locking the products, because a change
 * of a category locks it before its products.
 */
export async function planEdits(tx: Tx, { change, undoes }: StoredBulkEdit, ids: readonly string[]): Promise<Plan> {
  if (change) {
    const added = change.kind === 'categories' ? change.add : []
    return {
      decide: (product) => decideChange(product, differencesOf(product, editedProduct(product, change))),
      categories: new Set(await holdCategories(tx, added)),
    }
  }
  // Without a change it is an undo.
  const edits = await findEdits(tx, undoes ?? '', ids)
  const restored = new Set([...edits.values()].flatMap(({ before }) => before.categories ?? []))
  return {
    decide: (product) => decideUndo(product, edits.get(product.id)),
    categories: new Set(await holdCategories(tx, [...restored])),
  }
}

/** Decides what a bulk edit does to each of these products, which are locked. */
export function decideEdits(
  { decide, categories }: Plan,
  ids: readonly string[],
  products: readonly RawProduct[],
): Decisions {
  const byId = new Map(products.map((product) => [product.id, product]))
  const fields = new Map<string, BulkEditFields>()
  const problems: BulkEditProblem[] = []
  for (const id of ids) {
    const product = byId.get(id)
    const decision = product ? decide(product) : { problem: deletedProduct(id) }
    if (!decision) continue
    if ('problem' in decision) problems.push(decision.problem)
    else fields.set(id, decision.fields)
  }
  for (const [id, each] of fields) {
    const product = byId.get(id)
    const unknown = each.categories?.find((slug) => !categories.has(slug) && !product?.categories.includes(slug))
    if (unknown === undefined || !product) continue
    fields.delete(id)
    problems.push(notPossible(product, `The category ${unknown} no longer exists.`))
  }
  return { fields, problems }
}

function decideChange(product: EditableProduct, edit: Edit | undefined): Decision {
  if (!edit) return undefined
  const problem = problemOf(product, edit)
  return problem ? { problem } : { fields: edit.after }
}

function decideUndo(product: EditableProduct, edit: Edit | undefined): Decision {
  if (!edit) return undefined
  const fields = undoneFields(product, edit)
  if (fields === 'unchanged') return undefined
  if (fields !== 'changed-since') return { fields }
  const { id, title } = product
  return { problem: { id, title, reason: fields, message: 'This product was changed after the bulk edit.' } }
}

/** Why this edit of a product is not possible; undefined when it is. */
export function problemOf(product: EditableProduct, edit: Edit): BulkEditProblem | undefined {
  const fault = faultOf(product, edit)
  return fault === undefined ? undefined : notPossible(product, fault)
}

function notPossible({ id, title }: EditableProduct, message: string): BulkEditProblem {
  return { id, title, reason: 'not-possible', message }
}

export function deletedProduct(id: string): BulkEditProblem {
  return { id, title: null, reason: 'deleted', message: 'This product does not exist.' }
}
