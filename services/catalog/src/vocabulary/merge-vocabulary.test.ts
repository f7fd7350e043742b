import { describe, expect, test } from 'vitest'
import { Vocabulary, type Library, type LibraryAttribute } from '@storefront/contracts'
import { builtInVocabulary } from './built-in-vocabulary.ts'
import { mergeVocabulary, type BuiltInVocabulary } from './merge-vocabulary.ts'

const builtIn: BuiltInVocabulary = {
  items: [
    { key: 'length', label: 'Length', group: 'fit', unit: 'cm', highlight: true, values: ['70'] },
    { key: 'hem', label: 'Hem', group: 'construction', highlight: false },
  ],
  groups: [
    { id: 'fit', label: 'Fit' },
    { id: 'construction', label: 'Construction' },
  ],
  icons: ['leaf'],
  assurances: [{ icon: 'return', label: 'Free returns' }],
}
const nothing: Library = { attributes: [], features: [], assurances: [] }
const custom = (key: string, rest: Partial<LibraryAttribute> = {}): LibraryAttribute => ({
  id: `lib_${key}`,
  key,
  label: key,
  group: 'fit',
  values: [],
  custom: true,
  ...rest,
})

describe('the vocabulary of a store', () => {
  test('is the built-in one as long as nothing is saved', () => {
    expect(mergeVocabulary(builtIn, nothing)).toEqual({ ...builtIn, features: [], total: 2 })
  })

  test("uses the store's version of a key that both have, in its old place and suggested as before", () => {
    const library = { ...nothing, attributes: [custom('length', { label: 'Back length', values: ['71'] })] }
    const { items, total } = mergeVocabulary(builtIn, library)
    expect(items.map((item) => item.key)).toEqual(['length', 'hem'])
    expect(items[0]).toEqual({
      key: 'length',
      label: 'Back length',
      group: 'fit',
      highlight: true,
      values: ['71'],
      custom: true,
    })
    expect(total).toBe(2)
  })

  test('has the store’s own keys last', () => {
    const attributes = [custom('b', { unit: 'g' }), custom('a')]
    const { items, total } = mergeVocabulary(builtIn, { ...nothing, attributes })
    expect(items.map((item) => item.key)).toEqual(['length', 'hem', 'b', 'a'])
    expect(items[2]).toMatchObject({ unit: 'g', highlight: false, custom: true })
    expect(total).toBe(4)
  })

  test('names groups that only the store has after their ids, each once', () => {
    const attributes = ['fit', 'made-to_measure', 'made-to_measure', '--'].map((group, index) =>
      custom(`key ${index}`, { group }),
    )
    expect(mergeVocabulary(builtIn, { ...nothing, attributes }).groups).toEqual([
      ...builtIn.groups,
      { id: 'made-to_measure', label: 'Made to measure' },
      { id: '--', label: '--' },
    ])
  })

  test('contains saved feature cards and assurances; a saved assurance replaces the built-in one with the same label', () => {
    const features = [{ id: 'lib_1', icon: 'leaf', title: 'Traced', body: 'To the farm.' }]
    const assurances = [
      { id: 'lib_2', icon: 'scissors', label: 'Free hemming' },
      { id: 'lib_3', icon: 'return', label: 'Free returns', note: 'For 60 days.' },
    ]
    const merged = mergeVocabulary(
      { ...builtIn, assurances: [...builtIn.assurances, { icon: 'truck', label: 'Fast' }] },
      {
        ...nothing,
        features,
        assurances,
      },
    )
    expect(merged.features).toEqual(features)
    expect(merged.assurances).toEqual([{ icon: 'truck', label: 'Fast' }, ...assurances])
  })
})

describe('the built-in vocabulary', () => {
  test('is a valid reply, with every key, group and icon once', () => {
    const { items, groups, icons } = Vocabulary.parse(mergeVocabulary(builtInVocabulary, nothing))
    for (const names of [items.map((item) => item.key), groups.map((group) => group.id), icons]) {
      expect(names.length).toBe(new Set(names).size)
    }
  })

  test('has no group without attributes, no attribute without a group, and no assurance without an icon', () => {
    const { items, groups, icons, assurances } = builtInVocabulary
    expect(new Set(items.map((item) => item.group))).toEqual(new Set(groups.map((group) => group.id)))
    expect(assurances.length).toBeGreaterThan(0)
    for (const { icon } of assurances) expect(icons).toContain(icon)
  })
})
