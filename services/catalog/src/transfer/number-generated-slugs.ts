import type { Tx } from '../database.ts'
import { findGeneratedSlugs, findGivenSlugs, type GeneratedSlug } from './match-products.queries.ts'
import { updateRows } from './staging.queries.ts'

/** Numbers the slugs that were made from equal titles: `shirt`, `shirt-2`, `shirt-3`. */
export async function numberGeneratedSlugs(tx: Tx, jobId: string): Promise<void> {
  const made = await findGeneratedSlugs(tx, jobId)
  const taken = new Set<string>()
  const next = new Map<string, number>()
  let open = made.map(({ place, key }): GeneratedSlug & { base: string } => ({ place, key, base: key }))
  const renamed = new Map<number, string>()
  while (open.length > 0) {
    const slugs = open.map((each) => each.key)
    const given = await findGivenSlugs(tx, jobId, slugs)
    const clashing = open.filter(({ place, key, base }) => {
      if (given.has(key) || taken.has(key)) return true
      taken.add(key)
      if (key !== base) renamed.set(place, key)
      return false
    })
    open = clashing.map(({ place, base }) => {
      let number = next.get(base) ?? 2
      while (taken.has(`${base}-${number}`)) number++
      next.set(base, number + 1)
      return { place, base, key: `${base}-${number}` }
    })
  }
  const rows = [...renamed].map(([place, value]) => ({ place, value }))
  await updateRows(tx, jobId, 'product', { column: 'key', rows })
}
