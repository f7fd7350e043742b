import type {
  Library,
  LibraryAssuranceInput,
  LibraryAttributeInput,
  LibraryFeatureInput,
  LibraryInput,
} from '@storefront/contracts'
import type { Tx } from '../database.ts'
import { key } from '../listings/surrogate-keys.ts'
import { findLibrary, mergeLibrary, replaceLibrary } from '../vocabulary/library.queries.ts'
import { countAndFindChanged } from './apply-taxonomy.ts'
import { leavesAlone, noCounts, type Applying } from './import-effects.ts'
import { allRows } from './staging.queries.ts'
import { putInOrder } from './taxonomy.queries.ts'

/**
 * Saves the library. A dry run saves it, too, in a transaction that is rolled back, because the library is small and
 * only its queries determine the result.
 */
export async function applyLibrary(tx: Tx, applying: Applying): Promise<void> {
  if (leavesAlone(applying, 'attribute', 'feature', 'assurance')) return
  const { job, effects } = applying
  const library = {
    attributes: await allRows<LibraryAttributeInput>(tx, job, 'attribute'),
    features: await allRows<LibraryFeatureInput>(tx, job, 'feature'),
    assurances: await allRows<LibraryAssuranceInput>(tx, job, 'assurance'),
  }
  const stored = await findLibrary(tx)
  const before = itemsById(stored)
  const givenCount = library.attributes.length + library.features.length + library.assurances.length
  if (before.size === 0 && givenCount === 0) return
  const saved = await (job.mode === 'replace' ? replaceLibrary(tx, library, stored) : mergeLibrary(tx, library, stored))
  const moved = job.mode === 'replace' && (await putLibraryInOrder(tx, library))
  const after = saved || moved ? itemsById(await findLibrary(tx)) : before
  const counts = noCounts()
  countAndFindChanged(after, before, 'replace', counts)
  // Only records that a merging import names can count as unchanged.
  const unchanged = Math.max(0, Math.min(counts.unchanged, givenCount - counts.created - counts.updated))
  effects.counts.library = { ...counts, unchanged }
  if (saved || moved) effects.keys.add(key.library)
}

async function putLibraryInOrder(tx: Tx, { attributes, features, assurances }: LibraryInput): Promise<boolean> {
  const keys = attributes.map((each) => each.key)
  const moved = await putInOrder(tx, 'library_attributes', [...new Set(keys)])
  const featuresMoved = await putCardsInOrder(tx, 'library_features', features)
  return (await putCardsInOrder(tx, 'library_assurances', assurances)) || featuresMoved || moved
}

/** Sorts feature cards as in the import, if they have ids. */
async function putCardsInOrder(
  tx: Tx,
  table: 'library_features' | 'library_assurances',
  cards: readonly { id?: string | undefined }[],
): Promise<boolean> {
  const ids = cards.flatMap(({ id }) => id ?? [])
  return ids.length === cards.length && (await putInOrder(tx, table, [...new Set(ids)]))
}

function itemsById({ attributes, features, assurances }: Library): Map<string, unknown> {
  return new Map([
    ...attributes.map((each): [string, unknown] => [`attribute ${each.id}`, each]),
    ...features.map((each): [string, unknown] => [`feature ${each.id}`, each]),
    ...assurances.map((each): [string, unknown] => [`assurance ${each.id}`, each]),
  ])
}
