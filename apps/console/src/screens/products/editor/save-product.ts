import { inParallel } from '../../../parts/in-parallel.ts'
import { randomKey } from '../../../parts/random-key.ts'
import { messageOf, shop } from '../../../shop.ts'
import { readOf, readProduct, type ReadProduct } from '../products-queries.ts'
import { changesOf, type ProductPatch } from './product-changes.ts'
import type { ProductForm } from './product-form.ts'
import { removedVariants, stockChanges, type StockChange } from './variant-changes.ts'

const STOCK_AT_ONCE = 6

export async function createProduct(title: string, patch: ProductPatch): Promise<ReadProduct> {
  return readOf(await shop.http.POST('/admin/products', { body: { ...patch, title } }))
}

interface StockFailure extends StockChange {
  message: string
}

export interface Saved extends ReadProduct {
  /** Variants whose stock could not be set. */
  stockFailures: readonly StockFailure[]
  /** The units that were added to the stock of variants, by their ids. */
  stockAdded: ReadonlyMap<string, number>
}

/** What the person began with, and what they want. */
export interface Edit {
  read: ReadProduct
  before: ProductForm
  form: ProductForm
}

/**
 * Saves what was changed since the product was read, and only while that is its newest version.
 * @param options.undoes whether it undoes a save: stock then changes by its difference, so that sold units stay sold
 */
export async function updateProduct(
  { read, before, form }: Edit,
  currency: string,
  { undoes = false } = {},
): Promise<Saved> {
  const { id } = read.product
  const patch = changesOf(form, before, currency)
  const stock = stockChanges(form, before)
  // Their stock must be the one that the person saw.
  const removesVariants = removedVariants(form, before).length > 0
  let saved = read
  if (Object.keys(patch).length > 0) {
    const params = { path: { id }, header: { 'if-match': removesVariants ? read.etag : versionTag(read.etag) } }
    saved = readOf(await shop.http.PATCH('/admin/products/{id}', { params, body: patch }))
  }
  const result = await setStock(stock, undoes)
  return { ...(stock.length > 0 ? await readProduct(id) : saved), ...result }
}

/** The tag with only the version, so that sales in the meantime do not prevent the save of a text. */
function versionTag(etag: string): string {
  return etag.replace(/^"(\d+)\.\d+"$/, '"$1"')
}

async function setStock(
  changes: readonly StockChange[],
  undoes: boolean,
): Promise<Pick<Saved, 'stockFailures' | 'stockAdded'>> {
  const stockFailures: StockFailure[] = []
  const stockAdded = new Map<string, number>()
  await inParallel(changes, STOCK_AT_ONCE, async (change) => {
    try {
      stockAdded.set(change.id, await sendStock(change, undoes))
    } catch (error) {
      stockFailures.push({ ...change, message: messageOf(error) })
    }
  })
  return { stockFailures, stockAdded }
}

/** @returns the units that were added */
async function sendStock({ id, quantity, delta }: StockChange, undoes: boolean): Promise<number> {
  const params = { path: { id } }
  if (!undoes) return (await shop.patch('/admin/variants/{id}/inventory', { params, body: { quantity } })).delta
  await shop.post('/admin/variants/{id}/inventory', { params, body: { delta, operationId: randomKey() } })
  return delta
}
