import { isConflict, shop } from '../../shop.ts'
import { faultsOf } from '../settings/faults.ts'
import { differencesOf, type Difference } from './differences.ts'
import { changesOf, conflictingPaths, type Document } from './document.ts'
import { saveStorefront, storefrontQuery, type Version } from './storefront-queries.ts'
import type { QueryClient } from '@tanstack/react-query'

/** Someone else has changed the configuration since it was read. */
export interface Conflict {
  /** As it is now. */
  theirs: Document
  /** Who saved first, and when. */
  by: Version | undefined
  theirDifferences: Difference[]
  myDifferences: Difference[]
  /** Paths of values that both have changed. */
  overlap: string[]
}

export type Attempt =
  | { kind: 'saved'; version: number }
  | { kind: 'faults'; faults: Record<string, string> }
  | { kind: 'conflict'; conflict: Conflict }
  | { kind: 'failed'; error: unknown }

/** Saves what differs, and returns the result: invalid values and edit conflicts are results, not exceptions. */
export async function attemptSave(read: Document, edited: Document, client: QueryClient): Promise<Attempt> {
  try {
    // Loaded with the first save: it brings the rules of the shop's API.
    const { checkDocument } = await import('./check-document.ts')
    const faults = checkDocument(edited)
    if (Object.keys(faults).length > 0) return { kind: 'faults', faults }
    return { kind: 'saved', version: await saveStorefront(changesOf(read, edited), read) }
  } catch (error) {
    if (isConflict(error)) {
      return readConflict(read, edited, client).then(
        (conflict): Attempt => ({ kind: 'conflict', conflict }),
        (failure: unknown): Attempt => ({ kind: 'failed', error: failure }),
      )
    }
    const faults = faultsOf(error)
    return Object.keys(faults).length > 0 ? { kind: 'faults', faults } : { kind: 'failed', error }
  }
}

async function readConflict(read: Document, edited: Document, client: QueryClient): Promise<Conflict> {
  const [theirs, { items }] = await Promise.all([
    client.fetchQuery({ ...storefrontQuery, staleTime: 0 }),
    shop.get('/admin/storefront/versions', { params: { query: { per_page: 1 } } }),
  ])
  return {
    theirs,
    by: items[0],
    theirDifferences: differencesOf(read, theirs),
    myDifferences: differencesOf(read, edited),
    overlap: conflictingPaths(changesOf(read, edited), changesOf(read, theirs)),
  }
}
