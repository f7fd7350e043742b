import { assert, dictionary, jsonValue, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mergeSettings, withoutSetting } from './merge-settings.ts'

const document = dictionary(
  jsonValue({ maxDepth: 0 }).map((value) => `k${JSON.stringify(value).slice(0, 3)}`),
  jsonValue({ maxDepth: 3 }),
)

/** The value after a merge, which removes keys named `__proto__` from objects, but not within arrays. */
const asMerged = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value).flatMap(([key, each]) => (key === '__proto__' ? [] : [[key, asMerged(each)]])),
      )
    : value

describe('a change of the configuration', () => {
  test('merges into objects and replaces arrays and all other values', () => {
    expect(
      mergeSettings(
        { store: { name: 'A', logo: { wordmark: 'A' } }, home: [{ type: 'hero' }, { type: 'quote' }], version: 1 },
        { store: { logo: { mark: 'a' } }, home: [{ type: 'rail' }], promises: ['slow'] },
      ),
    ).toEqual({
      store: { name: 'A', logo: { wordmark: 'A', mark: 'a' } },
      home: [{ type: 'rail' }],
      version: 1,
      promises: ['slow'],
    })
    expect(mergeSettings({ store: 'text' }, { store: { name: 'A' } })).toEqual({ store: { name: 'A' } })
    expect(mergeSettings({ store: { name: 'A' } }, { store: 'text' })).toEqual({ store: 'text' })
  })

  test('keeps null as a value', () => {
    const unset = { home: null, commerce: { freeShippingOver: null, cutoffHour: null }, store: null }
    expect(mergeSettings({ home: [], commerce: { cutoffHour: 9, tax: {} } }, unset)).toEqual({
      ...unset,
      commerce: { ...unset.commerce, tax: {} },
    })
    expect(mergeSettings({ store: null }, { store: { name: 'A' } })).toEqual({ store: { name: 'A' } })
  })

  test('is complete in an empty configuration, and changes nothing the second time', () => {
    assert(
      property(document, document, (stored, change) => {
        expect(mergeSettings({}, change)).toEqual(asMerged(change))
        const once = mergeSettings(stored, change)
        expect(mergeSettings(once, change)).toEqual(once)
      }),
    )
  })

  test('changes no key that it does not name, and neither of its arguments', () => {
    assert(
      property(document, document, (stored, change) => {
        const [storedBefore, changeBefore] = [JSON.stringify(stored), JSON.stringify(change)]
        const merged = mergeSettings(stored, change)
        const untouched = Object.entries(stored).filter(([key]) => !Object.hasOwn(change, key))
        expect(untouched.map(([key]) => [key, merged[key]])).toEqual(untouched)
        expect([JSON.stringify(stored), JSON.stringify(change)]).toEqual([storedBefore, changeBefore])
      }),
    )
  })

  test('never reaches a prototype', () => {
    const hostile: Record<string, unknown> = JSON.parse(
      '{"__proto__":{"polluted":1},"a":{"__proto__":{"polluted":1}},"constructor":{"prototype":{"polluted":1}}}',
    )
    const merged = mergeSettings({ a: { b: 1 } }, hostile)
    expect(Object.keys(merged)).toEqual(['a', 'constructor'])
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype)
    expect(Object.getPrototypeOf(merged['a'])).toBe(Object.prototype)
    expect(merged['a']).toEqual({ b: 1 })
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })
})

describe('a key that is deleted', () => {
  test('is removed together with everything below it', () => {
    const stored = { store: { name: 'A', logo: { mark: 'a', height: 2 } }, home: null }
    expect(withoutSetting(stored, ['store', 'logo', 'mark'])).toEqual({
      store: { name: 'A', logo: { height: 2 } },
      home: null,
    })
    expect(withoutSetting(stored, ['home'])).toEqual({ store: stored.store })
    expect(withoutSetting(stored, ['store', 'logo'])).toEqual({ store: { name: 'A' }, home: null })
  })

  test.each([
    [[]],
    [['nothing']],
    [['home', 'type']],
    [['store', 'nothing', 'deep']],
    [['__proto__']],
    [['constructor']],
  ])('changes nothing when there is nothing at %j', (path) => {
    const stored = { store: { name: 'A' }, home: [{ type: 'hero' }] }
    expect(withoutSetting(stored, path)).toEqual(stored)
  })
})
