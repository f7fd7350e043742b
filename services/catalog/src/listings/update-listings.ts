import { createHash } from 'node:crypto'
import type { Tx } from '../database.ts'
import { spellableWords, wordsOf } from '../search/words.ts'
import {
  beginVersion,
  findListings,
  nameTerms,
  saveListings,
  saveSearchTexts,
  takeOrdinals,
  type ListingFacts,
  type SearchTexts,
  type StoredListing,
} from './listings.queries.ts'
import { key, keysOfLists, keysOfTermChanges } from './surrogate-keys.ts'
import { termsWithout } from './terms.ts'

/** The new listing of a product. */
export interface Listing extends ListingFacts {
  terms: string[]
  texts: Omit<SearchTexts, 'ordinal'>
}

interface Change {
  before: StoredListing | undefined
  after: (Listing & { ordinal: number; wordsFingerprint: string }) | undefined
}

/**
 * Updates the lists for these products: rows, search texts, and the changes for every replica's index.
 * @param productIds all affected products; those without a listing are removed
 * @returns surrogate keys of the lists that are out of date
 */
export async function updateListings(
  tx: Tx,
  productIds: readonly string[],
  listings: readonly Listing[],
): Promise<string[]> {
  const found = await findListings(tx, productIds)
  const stored = new Map(found.listings.map((row) => [row.productId, row]))
  const wanted = new Map(listings.map((listing) => [listing.productId, listing]))
  const changes = productIds
    .map((id): Change => ({ before: stored.get(id), after: withFingerprint(wanted.get(id), stored.get(id)) }))
    .filter(isChange)
  if (changes.length === 0) return []
  const version = await beginVersion(tx)
  await numberNewOnes(tx, changes)
  await save(tx, changes, version, found.numbers)
  return [...new Set(changes.flatMap(keysOf))]
}

function withFingerprint(listing: Listing | undefined, before: StoredListing | undefined): Change['after'] {
  if (!listing) return undefined
  const wordsFingerprint = createHash('sha1').update(JSON.stringify(listing.texts)).digest('base64url')
  // A new listing gets its number in `numberNewOnes`.
  return { ...listing, ordinal: before?.ordinal ?? -1, wordsFingerprint }
}

function isChange({ before, after }: Change): boolean {
  return before !== undefined && after !== undefined
    ? factsDiffer(before, after) || termsDiffer(before, after) || before.wordsFingerprint !== after.wordsFingerprint
    : before !== after
}

function termsDiffer(before: StoredListing, after: Listing): boolean {
  return before.terms.length !== after.terms.length || before.terms.some((each, index) => each !== after.terms[index])
}

const FACTS = [
  'title',
  'priceMinor',
  'featuredPosition',
  'unitsSold',
  'ratingHundredths',
  'ratingCount',
  'createdMs',
  'showsNew',
  'showsBestseller',
] as const satisfies (keyof ListingFacts)[]

function factsDiffer(before: ListingFacts, after: ListingFacts): boolean {
  return FACTS.some((name) => before[name] !== after[name])
}

async function numberNewOnes(tx: Tx, changes: readonly Change[]): Promise<void> {
  const added = changes.flatMap(({ before, after }) => (!before && after ? [after] : []))
  if (added.length === 0) return
  const ordinals = await takeOrdinals(tx, added.length)
  added.forEach((listing, index) => (listing.ordinal = ordinals[index] ?? -1))
}

async function save(
  tx: Tx,
  changes: readonly Change[],
  version: number,
  numbers: ReadonlyMap<string, number>,
): Promise<void> {
  const kept = changes.flatMap(({ after }) => after ?? [])
  const reworded = changes.filter(isReworded).flatMap(({ after }) => after ?? [])
  const terms = new Set(changes.flatMap(({ before, after }) => [...(before?.terms ?? []), ...(after?.terms ?? [])]))
  const idOf = await nameTerms(tx, [...terms], numbers)
  await saveListings(tx, {
    version,
    listings: kept.map((listing) => ({ ...listing, termIds: listing.terms.map(idOf) })),
    removed: changes.flatMap(({ before, after }) => (before && !after ? [before.ordinal] : [])),
    changes: changes.map((change) => ({
      ordinal: change.after?.ordinal ?? change.before?.ordinal ?? -1,
      lost: termsWithout(change.before?.terms, change.after?.terms).map(idOf),
      gained: termsWithout(change.after?.terms, change.before?.terms).map(idOf),
      reworded: isReworded(change),
    })),
  })
  const words = reworded.flatMap(({ texts }) => spellableWords(Object.values(texts).join(' ')))
  await saveSearchTexts(
    tx,
    reworded.map(({ ordinal, texts }) => ({
      ordinal,
      title: searchable(texts.title),
      heading: searchable(texts.heading),
      description: searchable(texts.description),
    })),
    [...new Set(words)],
  )
}

function isReworded({ before, after }: Change): boolean {
  return before?.wordsFingerprint !== after?.wordsFingerprint
}

/** Split into words here, as queries are, because PostgreSQL would parse `v.neck` as a host name. */
function searchable(text: string): string {
  return wordsOf(text).join(' ')
}

function keysOf({ before, after }: Change): string[] {
  const [formerTerms, terms] = [before?.terms ?? [], after?.terms ?? []]
  return [
    ...keysOfTermChanges(formerTerms, terms),
    ...(before && after && positionDiffers(before, after) ? keysOfLists(formerTerms, terms) : []),
    ...(isReworded({ before, after }) ? [key.search] : []),
  ]
}

/**
 * Whether the position in a list changed because of a merchant or a reviewer. Sales change it with every purchase, so
 * cached lists need not show that at once.
 */
function positionDiffers(before: ListingFacts, after: ListingFacts): boolean {
  return (['title', 'priceMinor', 'featuredPosition', 'ratingHundredths', 'ratingCount', 'createdMs'] as const).some(
    (name) => before[name] !== after[name],
  )
}
