import { array, assert, constantFrom, property, record, uniqueArray } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { planCards, type SavedCard } from './plan-cards.ts'

interface Given {
  id?: string
  icon: string
  title: string
  body: string
}

const leaf: Given = { icon: 'leaf', title: 'Traced', body: '' }
const hem: Given = { icon: 'scissors', title: 'Hemmed', body: '' }

describe('two cards with the same text', () => {
  const twins = [
    { id: 'one', ...leaf },
    { id: 'two', ...leaf },
  ]

  test('stay two cards with their ids, in a store that has both, one or none of them', () => {
    for (const mode of ['merge', 'replace'] as const) {
      expect(planCards(twins, twins, mode)).toEqual({ saves: [], keptIds: new Set(['one', 'two']) })
      expect(planCards(twins.slice(1), twins, mode).saves).toEqual(twins.slice(0, 1))
      expect(planCards([], twins, mode).saves).toEqual(twins)
    }
  })

  test('become one card when neither has an id', () => {
    const given = [leaf, { body: '', title: 'Traced', icon: 'leaf' }]
    expect(planCards([], given, 'merge').saves).toEqual([leaf])
    expect(planCards([{ id: 'mine', ...leaf }], given, 'replace')).toEqual({ saves: [], keptIds: new Set(['mine']) })
    expect(planCards([], [leaf, ...twins], 'merge').saves).toEqual(twins)
  })

  test('under an id that the store does not have are matched by text in a merge, and kept exactly in a replacement', () => {
    const stored = [{ id: 'mine', ...leaf }]
    expect(planCards(stored, twins, 'merge')).toEqual({ saves: twins.slice(1), keptIds: new Set(['mine']) })
    expect(planCards(stored, twins, 'replace')).toEqual({ saves: twins, keptIds: new Set() })
  })
})

test('a card with a known id is changed, and the last of two with the same id is used', () => {
  const plan = planCards(
    [{ id: 'one', ...leaf }],
    [
      { id: 'one', ...leaf },
      { id: 'one', ...hem },
    ],
    'merge',
  )
  expect(plan).toEqual({ saves: [{ id: 'one', ...hem }], keptIds: new Set(['one']) })
})

test('a repeated import changes nothing, whatever was stored', () => {
  const content = constantFrom(leaf, hem)
  const ids = constantFrom('one', 'two', 'three', 'four')
  const cards = array(record({ id: ids, content }, { requiredKeys: ['content'] }), { maxLength: 6 })
  const savedCards = uniqueArray(record({ id: ids, content }), { selector: ({ id }) => id })
  assert(
    property(savedCards, cards, constantFrom('merge' as const, 'replace' as const), (before, wanted, mode) => {
      const stored = before.map(({ id, content }) => ({ id, ...content }))
      const given = wanted.map(({ id, content }) => ({ ...(id !== undefined && { id }), ...content }))
      const after = storedAfter(stored, planCards<Given>(stored, given, mode), mode)
      expect(planCards<Given>(after, given, mode).saves).toEqual([])
      const withoutId = (card: object) => ({ ...card, id: undefined })
      for (const card of given) expect(after.map(withoutId)).toContainEqual(withoutId(lastOf(card, given)))
      // The export of a store produces the same library in any other store.
      expect(sorted(storedAfter(stored, planCards<Given>(stored, after, 'replace'), 'replace'))).toEqual(sorted(after))
    }),
  )
})

function storedAfter(stored: readonly (SavedCard & Given)[], plan: ReturnType<typeof planCards<Given>>, mode: string) {
  const ids = new Set(plan.saves.map(({ id }) => id))
  const left = stored.filter(({ id }) => !ids.has(id) && (mode === 'merge' || plan.keptIds.has(id)))
  return [...left, ...plan.saves.map((card, index) => ({ ...card, id: card.id ?? `new ${index}` }))]
}

function lastOf(card: Given, given: readonly Given[]): Given {
  return card.id === undefined ? card : (given.findLast(({ id }) => id === card.id) ?? card)
}

function sorted<Saved extends { id: string }>(cards: readonly Saved[]): Saved[] {
  return cards.toSorted((one, other) => (one.id < other.id ? -1 : 1))
}
