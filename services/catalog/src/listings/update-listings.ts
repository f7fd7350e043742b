import { createHash } from 'node:crypto'
import type { Tx } from '../database.ts'
import { markScopesStale, WHOLE_SHOP } from '../facets/listing-scope.ts'
import { spellableWords, wordsOf } from '../search/words.ts'
import {
  clearBits,
  findListings,
  lockListings,
  rememberWords,
  removeListings,
  saveListings,
  saveSearchTexts,
  saveTerms,
  setBits,
  takeOrdinals,
  type ListingFacts,
  type SearchTexts,
  type StoredListing,
  type TermChange,
} from './listings.queries.ts'
import { key, keysOfPlaces, keysOfTermChanges } from './surrogate-keys.ts'
import { isAboutStock } from './terms.ts'

/** A product as lists are to show it. */
export interface Listing extends ListingFacts {
  terms: string[]
  texts: Omit<SearchTexts, 'ordinal'>
}

interface Change {
  before: StoredListing | undefined
  after: (Listing & { ordinal: number; wordsFingerprint: string }) | undefined
}

/**
 * Makes the lists show these products so: rows, bitmaps, what searches look through and what facets are stale.
 * @param productIds all products that are meant; those without a listing are taken off
 * @returns surrogate keys of the lists that are out of date
 */
export async function updateListings(
  tx: Tx,
  productIds: readonly string[],
  listings: readonly Listing[],
): Promise<string[]> {
  const stored = new Map((await findListings(tx, productIds)).map((row) => [row.productId, row]))
  const wanted = new Map(listings.map((listing) => [listing.productId, listing]))
  const changes = productIds
    .map((id): Change => ({ before: stored.get(id), after: withFingerprint(wanted.get(id), stored.get(id)) }))
    .filter(isChange)
  if (changes.length === 0) return []
  if (changes.some(touchesLists)) await lockListings(tx)
  await numberNewOnes(tx, changes)
  await save(tx, changes)
  await markScopesStale(tx, [...new Set(changes.flatMap(staleScopes))])
  return [...new Set(changes.flatMap(keysOf))]
}

function withFingerprint(listing: Listing | undefined, before: StoredListing | undefined): Change['after'] {
  if (!listing) return undefined
  const wordsFingerprint = createHash('sha1').update(JSON.stringify(listing.texts)).digest('base64url')
  return { ...listing, ordinal: before?.ordinal ?? -1, wordsFingerprint }
}

function isChange({ before, after }: Change): boolean {
  return before !== undefined && after !== undefined
    ? factsDiffer(before, after) || termsDiffer(before, after) || before.wordsFingerprint !== after.wordsFingerprint
    : before !== after
}

/** Whether bitmaps or facets change, and not only the place in an order. */
function touchesLists({ before, after }: Change): boolean {
  return !before || !after || termsDiffer(before, after)
}

function termsDiffer(before: StoredListing, after: Listing): boolean {
  return before.terms.length !== after.terms.length || before.terms.some((each, index) => each !== after.terms[index])
}

const FACTS = [
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
  const fresh = changes.flatMap(({ before, after }) => (!before && after ? [after] : []))
  if (fresh.length === 0) return
  const ordinals = await takeOrdinals(tx, fresh.length)
  fresh.forEach((listing, index) => (listing.ordinal = ordinals[index] ?? -1))
}

async function save(tx: Tx, changes: readonly Change[]): Promise<void> {
  const kept = changes.flatMap(({ before, after }) => (after ? [{ before, after }] : []))
  await removeListings(
    tx,
    changes.flatMap(({ before, after }) => (before && !after ? [before.ordinal] : [])),
  )
  await saveListings(
    tx,
    kept.filter(({ before, after }) => !before || factsDiffer(before, after)).map(({ after }) => after),
  )
  const reworded = kept.filter(({ before, after }) => before?.wordsFingerprint !== after.wordsFingerprint)
  const termed = kept.filter(({ before, after }) => !before || termsDiffer(before, after))
  await saveTerms(
    tx,
    [...new Set([...termed, ...reworded])].map(({ after }) => after),
  )
  await clearBits(tx, changes.flatMap(termsLost))
  await setBits(tx, changes.flatMap(termsGained))
  await saveSearchTexts(
    tx,
    reworded.map(({ after: { ordinal, texts } }) => ({
      ordinal,
      title: searchable(texts.title),
      heading: searchable(texts.heading),
      description: searchable(texts.description),
    })),
  )
  await rememberWords(tx, [
    ...new Set(reworded.flatMap(({ after }) => spellableWords(Object.values(after.texts).join(' ')))),
  ])
}

/** Cut into words here, as queries are, and not by PostgreSQL, which takes `v.neck` for the name of a host. */
function searchable(text: string): string {
  return wordsOf(text).join(' ')
}

function termsLost({ before, after }: Change): TermChange[] {
  if (!before) return []
  const kept = new Set(after?.terms)
  return before.terms.filter((each) => !kept.has(each)).map((term) => ({ term, ordinal: before.ordinal }))
}

function termsGained({ before, after }: Change): TermChange[] {
  if (!after) return []
  const known = new Set(before?.terms)
  return after.terms.filter((each) => !known.has(each)).map((term) => ({ term, ordinal: after.ordinal }))
}

/** Scopes whose facets or total may differ now. Stock does not matter to them: facets name sold-out sizes too. */
function staleScopes(change: Change): string[] {
  const { before, after } = change
  const changed = [...termsLost(change), ...termsGained(change)].some(({ term }) => !isAboutStock(term))
  if (!changed) return []
  const places = [...(before?.terms ?? []), ...(after?.terms ?? [])].filter(
    (name) => name.startsWith('category:') || name.startsWith('collection:'),
  )
  return [WHOLE_SHOP, ...places]
}

function keysOf({ before, after }: Change): string[] {
  const [old, fresh] = [before?.terms ?? [], after?.terms ?? []]
  return [
    ...keysOfTermChanges(old, fresh),
    ...(before && after && placesDiffer(before, after) ? keysOfPlaces(old, fresh) : []),
    ...(before?.wordsFingerprint !== after?.wordsFingerprint ? [key.search] : []),
  ]
}

/**
 * Whether its place in a list differs because of a merchant or a reviewer. Sales move it too, but with every purchase:
 * lists may show that order when they are next made.
 */
function placesDiffer(before: ListingFacts, after: ListingFacts): boolean {
  return (['featuredPosition', 'ratingHundredths', 'ratingCount', 'createdMs'] as const).some(
    (name) => before[name] !== after[name],
  )
}
