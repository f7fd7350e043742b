import { createSuite, type Suite } from '@storefront/tools/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../src/database.ts'
import { Superseded } from '../src/listings/superseded.ts'
import { LexemeSets } from '../src/search/lexeme-sets.ts'
import { openWriter } from './save-meanwhile.ts'

const MAX_BYTES = 6000
/** A set without ordinals takes 500 bytes. */
const MAX_KEPT = MAX_BYTES / 500

let suite: Suite
let db: Database
let version: number

beforeAll(async () => {
  suite = await createSuite('catalog')
  db = openWriter(suite)
  const [row] = await suite.sql<{ version: number }>('select version::int from catalog.listing_version')
  version = row?.version ?? -1
})

afterAll(async () => {
  await db.destroy()
  await suite.stop()
})

/** @returns the lexemes found in memory: a look-up of this other version of the lists fails in the database */
async function kept(sets: LexemeSets, lexemes: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    lexemes.map((lexeme) =>
      sets.find(db, version + 1, [lexeme]).then(
        () => [lexeme],
        () => [],
      ),
    ),
  )
  return found.flat()
}

/** Adds a lexeme to the titles of as many listings. */
function grow(sets: LexemeSets, lexeme: string, listings: number): void {
  const [title, none] = [new Set([lexeme]), new Set<string>()]
  const lexemes = { title, heading: none, words: none }
  sets.apply(Array.from({ length: listings }, (_, ordinal) => ({ ordinal: ordinal * 100, lexemes })))
}

test('sets that grew in memory count with their new size', async () => {
  const sets = new LexemeSets(MAX_BYTES)
  const lexemes = Array.from({ length: 40 }, (_, nth) => `word${nth}`)
  for (const lexeme of lexemes.slice(0, 3)) {
    await sets.find(db, version, [lexeme])
    grow(sets, lexeme, 1000)
  }
  for (const lexeme of lexemes) await sets.find(db, version, [lexeme])
  const left = await kept(sets, lexemes)
  expect(left).toEqual(lexemes.slice(-left.length))
  expect(left.length).toBeLessThanOrEqual(MAX_KEPT)
  expect(left.length).toBeGreaterThan(MAX_KEPT / 2)
})

test('a set that grows displaces those that were used before it', async () => {
  const sets = new LexemeSets(MAX_BYTES)
  const lexemes = Array.from({ length: 8 }, (_, nth) => `word${nth}`)
  for (const lexeme of lexemes) await sets.find(db, version, [lexeme])
  expect(await kept(sets, lexemes)).toEqual(lexemes)
  grow(sets, 'word7', 1000)
  const left = await kept(sets, lexemes)
  expect(left.length).toBeLessThan(6)
  expect(left).toContain('word7')
})

test('a look-up that fails makes another reader that waits for it start again', async () => {
  const sets = new LexemeSets()
  const failing = db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: () => Promise.reject(new Error('the standby does not respond')),
  })
  await Promise.all([
    expect(sets.find(failing, version, ['linen'])).rejects.toThrow('the standby does not respond'),
    expect(sets.find(db, version, ['linen'])).rejects.toThrow(Superseded),
  ])
  expect((await sets.find(db, version, ['linen'])).has('linen')).toBe(true)
})
