import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { transaction } from '@storefront/postgres'
import { LibraryInput, Vocabulary } from '@storefront/contracts'
import { createSuite, type Suite } from '@storefront/tools/testing'
import type { z } from 'zod'
import type { Database } from '../src/database.ts'
import type { RunningCatalog } from '../src/start.ts'
import { findLibrary, mergeLibrary, replaceLibrary } from '../src/vocabulary/library.queries.ts'
import { startTestCatalog } from './catalog.ts'
import { openWriter } from './save-meanwhile.ts'

type LibraryBody = z.input<typeof LibraryInput>

let suite: Suite
let catalog: RunningCatalog
let db: Database

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite)
  db = openWriter(suite)
})

afterAll(async () => {
  await db.destroy()
  await suite.stop()
})

beforeEach(() => replace({}))

const merge = (body: LibraryBody) =>
  transaction(db, async (tx) => mergeLibrary(tx, LibraryInput.parse(body), await findLibrary(tx)))

const replace = (body: LibraryBody) =>
  transaction(db, async (tx) => replaceLibrary(tx, LibraryInput.parse(body), await findLibrary(tx)))

/** The storefront's response, without built-in items. */
const saved = async () => {
  const response = await catalog.app.inject({ url: '/attributes' })
  expect(response.statusCode).toBe(200)
  const vocabulary = Vocabulary.parse(response.json())
  expect(vocabulary.total).toBe(vocabulary.items.length)
  return {
    attributes: vocabulary.items.filter((item) => item.custom),
    features: vocabulary.features,
    assurances: vocabulary.assurances.filter((assurance) => assurance.id !== undefined),
  }
}

const warmth = { key: 'warmth', label: 'Warmth', group: 'fabric', values: ['3 of 5', '5 of 5'] }
const drape = { key: 'drape', label: 'Drape', values: ['Fluid'] }
const traced = { icon: 'leaf', title: 'Traced', body: 'To the farm.' }
const fixed = { icon: 'repair', title: 'Mended', body: 'For five years.' }
const hem = { icon: 'scissors', label: 'Free hemming', note: 'Tell us your inseam.' }
const slow = { icon: 'leaf', label: 'Made slowly' }
const whole = { attributes: [warmth, drape], features: [traced, fixed], assurances: [hem, slow] }

describe('the attributes', () => {
  test('are the built-in vocabulary for a store that saved nothing, stored by shared caches', async () => {
    const { headers, body } = await catalog.app.inject({ url: '/attributes' })
    const vocabulary = Vocabulary.parse(JSON.parse(body))
    expect(vocabulary.items.length).toBeGreaterThan(39)
    expect(vocabulary.groups.map((group) => group.id)).toEqual(
      expect.arrayContaining(['fabric', 'fit', 'construction']),
    )
    expect(vocabulary).toMatchObject({ features: [], total: vocabulary.items.length })
    expect(headers['cache-control']).toBe('public, max-age=60, stale-while-revalidate=600')
    expect(headers['surrogate-key']).toBe('library')
    expect(headers['etag']).toMatch(/^"/)
  })
})

describe('a library', () => {
  test('is in the attributes, in the order of saving, and an attribute without a group among the details', async () => {
    expect(await merge(whole)).toBe(true)
    expect(await saved()).toEqual({
      attributes: [
        { ...warmth, highlight: true, custom: true },
        { ...drape, group: 'details', highlight: false, custom: true },
      ],
      features: [traced, fixed].map((card) => ({ id: expect.stringMatching(/^lib_/), ...card })),
      assurances: [hem, slow].map((card) => ({ id: expect.stringMatching(/^lib_/), ...card })),
    })
  })

  test('changes nothing the second time, ids included', async () => {
    await merge(whole)
    const before = await saved()
    expect(await merge(whole)).toBe(false)
    expect(await replace(whole)).toBe(false)
    expect(await replace({ ...whole, features: before.features, assurances: before.assurances })).toBe(false)
    expect(await saved()).toEqual(before)
  })

  test('collects the values of a key, and has the last label', async () => {
    await merge({ attributes: [warmth] })
    expect(await merge({ attributes: [{ ...warmth, values: ['5 of 5', '1 of 5', '4 of 5', '1 of 5'] }] })).toBe(true)
    expect((await saved()).attributes[0]?.values).toEqual(['3 of 5', '5 of 5', '1 of 5', '4 of 5'])
    expect(
      await merge({ attributes: [{ ...warmth, label: 'How warm', group: 'care', unit: 'of 5', values: [] }] }),
    ).toBe(true)
    expect((await saved()).attributes).toMatchObject([
      { label: 'How warm', group: 'care', unit: 'of 5', values: ['3 of 5', '5 of 5', '1 of 5', '4 of 5'] },
    ])
    expect(await merge({ attributes: [warmth] })).toBe(true)
    expect((await saved()).attributes[0]).not.toHaveProperty('unit')
  })

  test('treats a duplicate key as one, with the values of both', async () => {
    const again = { ...warmth, label: 'How warm', values: ['5 of 5', '1 of 5'] }
    await merge({ attributes: [warmth, again] })
    expect((await saved()).attributes).toMatchObject([{ label: 'How warm', values: ['3 of 5', '5 of 5', '1 of 5'] }])
    expect(await merge({ attributes: [warmth, again] })).toBe(false)
  })

  test('changes a card whose id is known, and no card with equal content', async () => {
    await merge(whole)
    const [first] = (await saved()).features
    const rewritten = { id: first?.id, ...traced, body: 'To the very field.' }
    expect(await merge({ features: [rewritten, fixed, fixed], assurances: [slow] })).toBe(true)
    expect((await saved()).features).toEqual([rewritten, { id: expect.any(String), ...fixed }])
    expect(await merge({ features: [rewritten, fixed, fixed] })).toBe(false)
    expect((await saved()).assurances).toHaveLength(2)
  })

  test('keeps its ids in another store', async () => {
    const exported = {
      attributes: [{ id: 'lib_a', ...warmth }],
      features: [{ id: 'lib_f', ...traced }],
      assurances: [{ id: 'lib_s', ...slow }],
    }
    expect(await replace(exported)).toBe(true)
    expect(await saved()).toMatchObject({ features: [{ id: 'lib_f' }], assurances: [{ id: 'lib_s' }] })
    expect(await suite.sql('select id from catalog.library_attributes')).toEqual([{ id: 'lib_a' }])
    expect(await replace(exported)).toBe(false)
  })

  test('does not take ids that another attribute has, and has one card for an id that occurs twice', async () => {
    await merge({ attributes: [{ id: 'lib_a', ...warmth }] })
    const body = {
      attributes: [
        { id: 'lib_a', ...drape },
        { id: 'lib_b', ...drape, key: 'one' },
        { id: 'lib_b', ...drape, key: 'two' },
      ],
      features: [
        { id: 'lib_f', ...traced },
        { id: 'lib_f', ...fixed },
      ],
    }
    expect(await merge(body)).toBe(true)
    expect(await merge(body)).toBe(false)
    const { attributes, features } = await saved()
    expect(attributes.map((item) => item.key)).toEqual(['warmth', 'drape', 'one', 'two'])
    const withTheId = await suite.sql(`select key from catalog.library_attributes where id = 'lib_a'`)
    expect(withTheId).toEqual([{ key: 'warmth' }])
    expect(features).toEqual([{ id: 'lib_f', ...fixed }])
  })
})

describe('a library that replaces the previous one', () => {
  test('leaves no other items or values', async () => {
    await merge(whole)
    expect(await replace({ attributes: [{ ...warmth, values: ['5 of 5', '1 of 5'] }], assurances: [slow] })).toBe(true)
    expect(await saved()).toEqual({
      attributes: [{ ...warmth, highlight: true, custom: true, values: ['5 of 5', '1 of 5'] }],
      features: [],
      assurances: [{ id: expect.any(String), ...slow }],
    })
  })

  test('keeps one of two equal cards when it names that one', async () => {
    await merge({ features: [{ id: 'lib_1', ...traced }, fixed] })
    await merge({
      features: [
        { id: 'lib_2', ...fixed },
        { id: 'lib_1', ...fixed },
      ],
    })
    expect((await saved()).features).toHaveLength(2)
    expect(await replace({ features: [{ id: 'lib_1', ...fixed }] })).toBe(true)
    expect((await saved()).features).toEqual([{ id: 'lib_1', ...fixed }])
  })

  test('has the ids of its items, wherever they are', async () => {
    await merge({
      ...whole,
      attributes: [
        { id: 'lib_mine', ...warmth },
        { id: 'lib_b', ...drape },
      ],
    })
    const library = {
      attributes: [
        { id: 'lib_a', ...warmth },
        { id: 'lib_mine', ...drape },
      ],
      features: [
        { id: 'lib_f', ...traced },
        { id: 'lib_g', ...traced },
      ],
    }
    expect(await replace(library)).toBe(true)
    expect(await suite.sql('select id, key from catalog.library_attributes order by key desc')).toEqual([
      { id: 'lib_a', key: 'warmth' },
      { id: 'lib_mine', key: 'drape' },
    ])
    expect((await saved()).features).toEqual(library.features)
    expect(await replace(library)).toBe(false)
    expect(await merge(library)).toBe(false)
  })

  test('may be empty', async () => {
    await merge(whole)
    expect(await replace({})).toBe(true)
    expect(await saved()).toEqual({ attributes: [], features: [], assurances: [] })
    expect(await replace({})).toBe(false)
  })
})

describe('concurrent writers', () => {
  test('lose none of the values that they add to one new attribute', async () => {
    const values = Array.from({ length: 12 }, (_, index) => `value ${index}`)
    await Promise.all(values.map((value) => merge({ attributes: [{ ...drape, values: [value] }] })))
    const [attribute] = (await saved()).attributes
    expect(attribute?.values?.toSorted()).toEqual(values.toSorted())
  })
})

describe('an invalid library', () => {
  test.each<[string, unknown]>([
    ['an attribute without a key', { attributes: [{ ...warmth, key: ' ' }] }],
    ['an endless key', { attributes: [{ ...warmth, key: 'x'.repeat(101) }] }],
    ['a blank value', { attributes: [{ ...warmth, values: [''] }] }],
    ['a card without an icon', { features: [{ ...traced, icon: undefined }] }],
    ['an endless body', { features: [{ ...traced, body: 'x'.repeat(2001) }] }],
    ['an assurance without a label', { assurances: [{ icon: 'leaf' }] }],
    ['an empty id', { assurances: [{ id: '', ...slow }] }],
  ])('is rejected for %s', (_fault, body) => {
    expect(LibraryInput.safeParse(body).success).toBe(false)
  })
})
