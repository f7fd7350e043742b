import { assert, asyncProperty, constantFrom, record, uniqueArray } from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  ErrorBody,
  Library,
  SettingsUpdated,
  Vocabulary,
  type LibraryItem,
  type Permission,
} from '@storefront/contracts'
import { amount, createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import type { RunningCatalog } from '../src/start.ts'
import { auditOf, fill, importCatalogue, sendAsAdmin, startTestCatalog } from './catalog.ts'

let suite: Suite
let catalog: RunningCatalog

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite)
})

afterAll(() => suite.stop())

const reset = () => fill(catalog.app, suite, { mode: 'replace', settings: {} })

type Body = Record<string, unknown>

const call = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: Body, permissions?: Permission[]) =>
  sendAsAdmin(catalog.app, suite, method, `/admin/library${path}`, body, suite.headers.admin(permissions))

const save = async (kind: string, item: Body): Promise<LibraryItem> => {
  const { status, body } = await call('POST', `/${kind}`, item)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

const library = async () => Library.parse((await call('GET', '')).body)
const vocabulary = async () => Vocabulary.parse((await catalog.app.inject({ url: '/attributes' })).json())
const newStorefrontVersion = async (): Promise<number> => {
  const headers = suite.headers.admin()
  const payload = { store: { tagline: `${(marker += 1)}` } }
  const response = await catalog.app.inject({ method: 'PATCH', url: '/admin/storefront', headers, payload })
  return response.json().version
}
let marker = 0

const drape = { key: 'drape', label: 'Drape', group: 'fit', values: ['Fluid'] }
const traced = { icon: 'leaf', title: 'Traced', body: 'To the farm.' }
const hem = { icon: 'scissors', label: 'Free hemming', note: 'Tell us your inseam.' }

describe('the library of a store', () => {
  beforeEach(reset)

  test('is empty at first, and never stored by a shared cache', async () => {
    const { status, body, headers } = await call('GET', '')
    expect(status).toBe(200)
    expect(body).toEqual({ attributes: [], features: [], assurances: [] })
    expect(headers['cache-control']).toBe('private, no-store')
    expect(headers['surrogate-key']).toBeUndefined()
  })

  test('returns saved items, and the storefront reads them at once', async () => {
    const attribute = await save('attributes', drape)
    const feature = await save('features', traced)
    const assurance = await save('assurances', hem)
    expect(attribute).toEqual({ id: expect.stringMatching(/^lib_/), ...drape, custom: true })
    expect(feature).toEqual({ id: expect.stringMatching(/^lib_/), ...traced })
    expect(assurance).toEqual({ id: expect.stringMatching(/^lib_/), ...hem })
    expect(await library()).toEqual({ attributes: [attribute], features: [feature], assurances: [assurance] })
    const given = await vocabulary()
    expect(given.items.find((item) => item.key === 'drape')).toMatchObject({ custom: true, values: ['Fluid'] })
    expect(given.features).toEqual([feature])
    expect(given.assurances).toContainEqual(assurance)
  })

  test('has an attribute once for each key, with the values of all saves', async () => {
    const first = await save('attributes', drape)
    const second = await save('attributes', { ...drape, label: 'How it falls', values: ['Stiff', 'Fluid'] })
    expect(second).toEqual({ ...first, label: 'How it falls', values: ['Fluid', 'Stiff'] })
    expect((await library()).attributes).toEqual([second])
  })

  test('has a card once, however often the same text is saved', async () => {
    const first = await save('features', traced)
    expect(await save('features', traced)).toEqual(first)
    const other = await save('features', { ...traced, body: 'To the field.' })
    expect((await library()).features).toEqual([first, other])
  })

  test('changes the item with a given id', async () => {
    const { id } = await save('assurances', hem)
    expect(await save('assurances', { id, icon: 'needle', label: 'Hemming' })).toEqual({
      id,
      icon: 'needle',
      label: 'Hemming',
    })
    const attribute = await save('attributes', { ...drape, values: ['Fluid', 'Stiff', 'Typo'] })
    const renamed = { id: attribute.id, key: 'fall', label: 'Fall' }
    expect(await save('attributes', renamed)).toMatchObject({ ...renamed, values: ['Fluid', 'Stiff', 'Typo'] })
    expect(await save('attributes', { ...renamed, values: ['Stiff', 'Stiff'] })).toMatchObject({ values: ['Stiff'] })
    expect((await library()).attributes).toHaveLength(1)
  })

  test('keeps an unknown id, as an import does', async () => {
    expect(await save('features', { id: 'lib_mine', ...traced })).toEqual({ id: 'lib_mine', ...traced })
    // It has the text of another card, but its id was requested explicitly.
    expect(await save('features', { id: 'lib_twin', ...traced })).toEqual({ id: 'lib_twin', ...traced })
    expect(await save('attributes', { id: 'lib_drape', ...drape })).toMatchObject({ id: 'lib_drape' })
    expect((await library()).features).toHaveLength(2)
  })

  test('rejects a key that another attribute has', async () => {
    await save('attributes', drape)
    const { id } = await save('attributes', { ...drape, key: 'fall' })
    expect(await call('POST', '/attributes', { id, ...drape })).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    })
    expect((await library()).attributes.map((item) => item.key)).toEqual(['drape', 'fall'])
  })

  test('deletes an item, once', async () => {
    const kept = await save('attributes', drape)
    const gone = await save('attributes', { ...drape, key: 'fall' })
    expect(await call('DELETE', `/features/${gone.id}`)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await call('DELETE', `/attributes/${gone.id}`)).toMatchObject({ status: 200, body: { ok: true } })
    expect(await call('DELETE', `/attributes/${gone.id}`)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect((await library()).attributes).toEqual([kept])
    expect((await vocabulary()).items.some((item) => item.key === 'fall')).toBe(false)
  })

  test('records every change, purges the cached vocabulary and publishes an event, unless nothing changed', async () => {
    // Between two versions of the storefront, all events under the number of the first are about the library.
    const version = await newStorefrontVersion()
    const first = await call('POST', '/features', traced)
    const { id } = first.body
    expect(first.headers['surrogate-purge']).toBe('library')
    expect((await call('POST', '/features', traced)).headers['surrogate-purge']).toBeUndefined()
    const second = await call('POST', '/features', { id, ...traced, title: 'Traceable' })
    expect(second.headers['surrogate-purge']).toBe('library')
    expect((await call('DELETE', `/features/${id}`)).headers['surrogate-purge']).toBe('library')
    expect(await auditOf(suite, 'library-item', id)).toEqual([
      { action: 'create', actor: 'user_test', before: null, after: { id, ...traced } },
      { action: 'update', actor: 'user_test', before: { title: 'Traced' }, after: { title: 'Traceable' } },
      { action: 'delete', actor: 'user_test', before: { id, ...traced, title: 'Traceable' }, after: null },
    ])
    const next = await newStorefrontVersion()
    const events = await waitFor('the event of the next version', async () => {
      const all = await suite.eventsOf(SettingsUpdated)
      return all.some((event) => event.version === next) && all
    })
    expect(events.filter((event) => event.version === version)).toHaveLength(1 + 3)
  })

  test('has the keys and values of all saves, in the order in which they were first saved', async () => {
    const attribute = record({
      key: constantFrom('one', 'two', 'three'),
      values: uniqueArray(constantFrom('a', 'b', 'c', 'd'), { maxLength: 3 }),
    })
    await assert(
      asyncProperty(
        uniqueArray(attribute, { maxLength: 6, selector: ({ key, values }) => key + values.join() }),
        async (saves) => {
          await importCatalogue(catalog.app, suite, { mode: 'replace', settings: {} })
          const expected = new Map<string, Set<string>>()
          for (const { key, values } of saves) {
            await save('attributes', { key, label: key, values })
            expected.set(key, new Set([...(expected.get(key) ?? []), ...values]))
          }
          expect((await library()).attributes.map(({ key, values }) => [key, values])).toEqual(
            [...expected].map(([key, values]) => [key, [...values]]),
          )
        },
      ),
      { numRuns: amount({ quick: 3, long: 15 }) },
    )
  })
})

describe('concurrent saves of merchants', () => {
  beforeEach(reset)

  test('create one attribute of one key, with all their values', async () => {
    const values = Array.from({ length: 20 }, (_, index) => `value ${index}`)
    const saved = await Promise.all(values.map((value) => save('attributes', { ...drape, values: [value] })))
    expect(new Set(saved.map((item) => item.id)).size).toBe(1)
    const { attributes } = await library()
    expect(attributes).toHaveLength(1)
    expect(attributes[0]?.values.toSorted()).toEqual(values.toSorted())
    // Each entry begins with the state in which the previous one ended, so no entry is missing.
    const entries = await auditOf(suite, 'library-item', saved[0]?.id ?? '')
    expect(entries).toHaveLength(20)
    const [first, ...later] = entries
    expect(first).toMatchObject({ action: 'create', before: null })
    expect(later.map(({ before }) => before?.['values'])).toEqual(
      entries.slice(0, -1).map(({ after }) => after?.['values']),
    )
  })

  test('create one card of equal ones', async () => {
    await Promise.all(Array.from({ length: 10 }, () => save('assurances', hem)))
    expect((await library()).assurances).toHaveLength(1)
  })
})

describe('the library without permission', () => {
  beforeAll(reset)

  test.each<[string, () => Record<string, string>, number]>([
    ['a caller without an actor', () => ({}), 401],
    ['an anonymous visitor', () => suite.headers.anonymous(), 401],
    ['a customer', () => suite.headers.customer('cus_1'), 403],
    ['an admin with other permissions', () => suite.headers.admin(['orders:write', 'settings:write']), 403],
  ])('returns nothing to %s', async (_who, headers, status) => {
    const attempts = [
      { method: 'GET' as const, url: '/admin/library' },
      { method: 'POST' as const, url: '/admin/library/features', payload: traced },
      { method: 'POST' as const, url: '/admin/library/nonsense', payload: traced },
      { method: 'DELETE' as const, url: '/admin/library/features/lib_1' },
    ]
    for (const attempt of attempts) {
      expect((await catalog.app.inject({ ...attempt, headers: headers() })).statusCode, attempt.url).toBe(status)
    }
    expect((await library()).features).toEqual([])
  })

  test('is read with the permission to read, and not written', async () => {
    expect((await call('GET', '', undefined, ['catalog:read'])).status).toBe(200)
    expect((await call('POST', '/features', traced, ['catalog:read'])).status).toBe(403)
    expect((await call('DELETE', '/features/lib_1', undefined, ['catalog:read'])).status).toBe(403)
  })
})

describe('an invalid library item', () => {
  beforeAll(reset)

  test.each(['icons', 'attribute', 'ATTRIBUTES', '__proto__', 'constructor', 'x'.repeat(500)])(
    'is rejected before its body is read when its kind is %s',
    async (kind) => {
      const headers = { ...suite.headers.admin(), 'content-type': 'application/json' }
      for (const payload of ['{"icon":', '[]', '']) {
        const response = await catalog.app.inject({ method: 'POST', url: `/admin/library/${kind}`, headers, payload })
        expect(response.statusCode).toBe(422)
        expect(response.json().code).toBe('invalid_kind')
      }
      expect(await call('DELETE', `/${kind}/lib_1`)).toMatchObject({ status: 422, body: { code: 'invalid_kind' } })
    },
  )

  test.each<[string, string, unknown, string]>([
    ['an attribute without a key', 'attributes', { label: 'Drape' }, 'key'],
    ['a blank key', 'attributes', { ...drape, key: '  ' }, 'key'],
    ['values that are one text', 'attributes', { ...drape, values: 'Fluid' }, 'values'],
    ['a value that is a number', 'attributes', { ...drape, values: [1.5] }, 'values.0'],
    ['a list in place of a label', 'attributes', { ...drape, label: ['x'] }, 'label'],
    ['an endless title', 'features', { ...traced, title: 'x'.repeat(201) }, 'title'],
    ['a card of another kind', 'features', { icon: hem.icon }, 'title'],
    ['a note that is null', 'assurances', { ...hem, note: null }, 'note'],
    ['an empty id', 'assurances', { id: '', ...hem }, 'id'],
    ['nothing at all', 'assurances', {}, 'icon'],
  ])('is rejected: %s', async (_fault, kind, body, path) => {
    const reply = await sendAsAdmin(catalog.app, suite, 'POST', `/admin/library/${kind}`, body)
    expect(reply.status).toBe(422)
    expect(reply.body).toMatchObject({ code: 'validation_failed' })
    expect(reply.body.detail.issues.map((issue: { path: string }) => issue.path)).toContain(path)
    expect(await library()).toEqual({ attributes: [], features: [], assurances: [] })
  })

  test.each(['[]', '"text"', '7', 'null', ''])('is rejected when it is %j', async (payload) => {
    const { body } = await sendAsAdmin(catalog.app, suite, 'POST', '/admin/library/features', payload)
    expect(body).toMatchObject({ code: 'validation_failed' })
  })

  test('is rejected with a key that a library item does not have, and with a read-only field', async () => {
    const rejected = async (kind: string, item: Body) => {
      const { status, body } = await call('POST', `/${kind}`, item)
      expect(status).toBe(422)
      return ErrorBody.parse(body)
    }
    expect(await rejected('features', { ...traced, headline: 'x' })).toMatchObject({
      code: 'unknown_field',
      message: 'Unknown field `headline`. Did you mean `title`?',
    })
    expect(await rejected('assurances', { ...hem, constructor: { prototype: {} } })).toMatchObject({
      code: 'unknown_field',
      detail: { fields: [{ path: 'constructor' }] },
    })
    expect(await rejected('attributes', { ...drape, custom: false })).toMatchObject({
      code: 'read_only_field',
      detail: { path: 'custom' },
    })
    expect(await save('features', { ...traced, custom: true })).toEqual({ id: expect.any(String), ...traced })
  })
})
