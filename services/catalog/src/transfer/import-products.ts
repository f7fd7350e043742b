import type { ProductInput } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import { importRefused, type Issue } from '../errors.ts'
import { slugOf } from '../products/product.ts'
import { findProductsToSave } from '../products/products.queries.ts'
import { saveProducts, type ProductToSave, type SavedProduct } from '../products/save-products.ts'
import { findForeignSkus, findForeignVariantIds } from '../products/variants.queries.ts'

/** Finds and locks what is stored of the products of an import: those known by id, or else by slug. */
export async function matchProducts(tx: Tx, products: readonly ProductInput[]): Promise<ProductToSave[]> {
  return products.length === 0 ? [] : matchKnown(tx, withSlugs(products))
}

/** Saves the products of an import. Whatever it removes is gone before, so that its slugs and SKUs are free. */
export async function importProducts(
  tx: Tx,
  rows: readonly ProductToSave[],
  currency: string,
  now: Date,
): Promise<SavedProduct[]> {
  if (rows.length === 0) return []
  const issues = await clashes(tx, rows)
  if (issues.length > 0) throw importRefused(issues)
  return saveProducts(tx, rows, { currency, now })
}

/** Gives products without a slug one made from the title; two of the same title in one import are told apart. */
function withSlugs(products: readonly ProductInput[]): { input: ProductInput; slug: string }[] {
  const taken = new Set(products.flatMap(({ slug }) => (slug === undefined ? [] : [slug])))
  return products.map((input) => {
    if (input.slug !== undefined) return { input, slug: input.slug }
    const base = slugOf(input.title)
    let slug = base
    for (let number = 2; taken.has(slug); number++) slug = `${base}-${number}`
    taken.add(slug)
    return { input, slug }
  })
}

async function matchKnown(tx: Tx, rows: readonly { input: ProductInput; slug: string }[]): Promise<ProductToSave[]> {
  const known = await findProductsToSave(
    tx,
    rows.flatMap(({ input }) => (input.id === undefined ? [] : [input.id])),
    rows.map((row) => row.slug),
  )
  const byId = new Map(known.map((product) => [product.id, product]))
  const bySlug = new Map(known.map((product) => [product.slug, product]))
  return rows.map(({ input, slug }) => ({ input, slug, before: byId.get(input.id ?? '') ?? bySlug.get(slug) }))
}

async function clashes(tx: Tx, rows: readonly ProductToSave[]): Promise<Issue[]> {
  const owners = new Map<string, number>()
  const twice = rows.flatMap(({ input, before }, index) => {
    const id = before?.id ?? input.id
    if (id === undefined) return []
    const first = owners.get(id)
    owners.set(id, first ?? index)
    return first === undefined
      ? []
      : [{ path: `products.${index}`, message: `is the same product as products.${first}` }]
  })
  const variants = rows.flatMap(({ input, before }) =>
    input.variants.map(({ id, sku }) => ({ id, sku, productId: before?.id ?? input.id ?? '' })),
  )
  const skus = await findForeignSkus(
    tx,
    variants.flatMap(({ sku, productId }) => (sku === undefined ? [] : [{ sku, productId }])),
  )
  const ids = await findForeignVariantIds(
    tx,
    variants.flatMap(({ id, productId }) => (id === undefined ? [] : [{ id, productId }])),
  )
  return [
    ...twice,
    ...skus.map((sku) => ({ path: 'products', message: `SKU ${sku} belongs to another product` })),
    ...ids.map((id) => ({ path: 'products', message: `variant ${id} belongs to another product` })),
  ]
}
