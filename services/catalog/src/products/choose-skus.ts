import { createHash } from 'node:crypto'
import type { Tx } from '../database.ts'
import { freeSku, MAX_SKU_LENGTH, skuOf } from './product.ts'
import { findForeignSkus } from './variants.queries.ts'

const HASH_LENGTH = 8

export interface VariantsToName {
  productId: string
  slug: string
  /** Variants of which some may have no SKU yet. */
  variants: readonly { sku: string | undefined; options: Record<string, string> }[]
  /** The SKUs that the product has now. */
  stored: readonly string[]
}

/**
 * Gives variants without a SKU one that neither these products nor the shop use. Normally that takes one statement,
 * however many there are.
 * @param reserved SKUs that other products will get
 * @returns the SKUs of all variants, product by product, in their order
 */
export async function chooseSkus(
  tx: Tx,
  products: readonly VariantsToName[],
  reserved: ReadonlySet<string>,
): Promise<string[][]> {
  const taken = new Set(
    products.flatMap(({ variants, stored }) => [...stored, ...variants.flatMap(({ sku }) => sku ?? [])]),
  )
  const chosen = products.map(({ variants }) => variants.map(({ sku = '' }) => sku))
  let unnamed = products.flatMap(unnamedVariants)
  for (let attempt = 0; unnamed.length > 0; attempt++) {
    const wanted = unnamed.map((each) => ({ ...each, sku: attempt === 0 ? each.made : hashedSku(each, attempt) }))
    const foreign = new Set(await findForeignSkus(tx, wanted))
    unnamed = wanted.filter(({ sku, product, place }) => {
      if (taken.has(sku) || reserved.has(sku) || foreign.has(sku)) return true
      taken.add(sku)
      chosen[product]?.splice(place, 1, sku)
      return false
    })
  }
  return chosen
}

interface Unnamed {
  /** Index of the product, and of the variant below. */
  product: number
  place: number
  productId: string
  slug: string
  made: string
}

function unnamedVariants({ productId, slug, variants, stored }: VariantsToName, product: number): Unnamed[] {
  const own = new Set([...stored, ...variants.flatMap(({ sku }) => sku ?? [])])
  return variants.flatMap(({ sku, options }, place) =>
    sku === undefined ? [{ product, place, productId, slug, made: freeSku(skuOf(slug, options), own) }] : [],
  )
}

/**
 * Counting up would look up as many SKUs as there are products with the same prefix; a hash is nearly always free.
 */
function hashedSku({ slug, made }: Unnamed, attempt: number): string {
  const hash = createHash('sha1')
    .update(JSON.stringify([slug, made, attempt]))
    .digest('hex')
  return `${made.slice(0, MAX_SKU_LENGTH - HASH_LENGTH - 1)}-${hash.slice(0, HASH_LENGTH).toUpperCase()}`
}
