import { inParallel } from '../../../parts/in-parallel.ts'
import { messageOf, shop } from '../../../shop.ts'
import { readProduct, type ReadProduct } from '../products-queries.ts'
import { changesOf, type ProductPatch } from './product-changes.ts'
import type { ProductForm } from './product-form.ts'
import { removedVariants, stockChanges, type StockChange } from './variant-changes.ts'

const STOCK_AT_ONCE = 6

export async function createProduct(title: string, patch: ProductPatch): Promise<ReadProduct> {
  const { data, response } = await shop.http.POST('/admin/products', { body: { ...patch, title } })
  if (!data) throw new Error('The shop sent no product.')
  return { product: data, etag: response.headers.get('etag') ?? '' }
}

export interface StockFailure extends StockChange {
  message: string
}

export interface Saved extends ReadProduct {
  /** Variants whose stock could not be set. */
  stockFailures: readonly StockFailure[]
}

/** What the person began with, and what they want. */
export interface Edit {
  read: ReadProduct
  before: ProductForm
  form: ProductForm
}

/** Saves what was changed since the product was read, and only while that is its newest version. */
export async function updateProduct({ read, before, form }: Edit, currency: string): Promise<Saved> {
  const { id } = read.product
  const patch = changesOf(form, before, currency)
  const stock = stockChanges(form, before)
  // Their stock must be the one that the person saw.
  const removesVariants = removedVariants(form, before).length > 0
  let saved = read
  if (Object.keys(patch).length > 0) {
    const { data, response } = await shop.http.PATCH('/admin/products/{id}', {
      params: { path: { id }, header: { 'if-match': removesVariants ? read.etag : versionTag(read.etag) } },
      body: patch,
    })
    if (!data) throw new Error('The shop sent no product.')
    saved = { product: data, etag: response.headers.get('etag') ?? '' }
  }
  const stockFailures = await setStock(stock)
  return { ...(stock.length > 0 ? await readProduct(id) : saved), stockFailures }
}

/** The tag of the version alone: sales in the meantime are no reason not to save a text. */
function versionTag(etag: string): string {
  return etag.replace(/^"(\d+)\.\d+"$/, '"$1"')
}

async function setStock(changes: readonly StockChange[]): Promise<StockFailure[]> {
  const failures: StockFailure[] = []
  await inParallel(changes, STOCK_AT_ONCE, async (change) => {
    const { id, quantity } = change
    try {
      await shop.patch('/admin/variants/{id}/inventory', { params: { path: { id } }, body: { quantity } })
    } catch (error) {
      failures.push({ ...change, message: messageOf(error) })
    }
  })
  return failures
}
