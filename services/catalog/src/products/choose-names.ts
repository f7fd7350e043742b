import { randomBytes } from 'node:crypto'
import type { ProductInput } from '@storefront/contracts'
import type { Tx } from '../database.ts'
import { skuTaken } from '../errors.ts'
import { findUsedSlugs, lockSlug } from './admin-products.queries.ts'
import { freeSku, skuOf, slugOf } from './product.ts'
import { isTaken } from './save-products.ts'
import { findForeignSkus } from './variants.queries.ts'

const ATTEMPTS = 5
const FIRST_NUMBERS = 20

/** Makes an address out of a title that leads nowhere yet. Former addresses count: their links are still out there. */
export async function chooseSlug(tx: Tx, title: string): Promise<string> {
  const base = slugOf(title)
  await lockSlug(tx, base)
  let candidates = [base]
  for (let next = 2, count = FIRST_NUMBERS; ; next += count, count *= 2) {
    const used = new Set(await findUsedSlugs(tx, candidates))
    const free = candidates.find((slug) => !used.has(slug))
    if (free !== undefined) return free
    candidates = Array.from({ length: count }, (_, index) => `${base}-${next + index}`)
  }
}

/**
 * Gives variants without a SKU one that no other product has.
 * @param productId undefined for a product that is not there yet
 */
export async function withSkus(
  tx: Tx,
  input: ProductInput,
  slug: string,
  productId: string | undefined,
): Promise<ProductInput> {
  const variants = input.variants.length > 0 ? input.variants : [{ options: {} }]
  const given = variants.flatMap(({ sku }) => (sku === undefined ? [] : [sku]))
  const [taken] = await findTaken(tx, given, productId)
  if (taken !== undefined) throw skuTaken(taken)
  const own = new Set(given)
  const made = variants.map((variant) => variant.sku ?? freeSku(skuOf(slug, variant.options), own))
  const clashing = new Set(await findTaken(tx, made, productId))
  return {
    ...input,
    variants: variants.map((variant, index) => {
      const sku = made[index] ?? ''
      return { ...variant, sku: clashing.has(sku) ? freeSku(`${sku.slice(0, 90)}-${randomPart()}`, own) : sku }
    }),
  }
}

function randomPart(): string {
  return randomBytes(4).toString('hex').toUpperCase()
}

function findTaken(tx: Tx, skus: readonly string[], productId = ''): Promise<string[]> {
  return findForeignSkus(
    tx,
    skus.map((sku) => ({ sku, productId })),
  )
}

/** Runs a write again that lost a name to another one: it then sees whose the name is, and chooses or refuses. */
export async function untilNamed<Result>(write: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write()
    } catch (error) {
      if (attempt === ATTEMPTS || !isTaken(error)) throw error
    }
  }
}
