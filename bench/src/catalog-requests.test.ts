import { describe, expect, test } from 'vitest'
import { broadFilter, facetsOnly, filteredList, search, suggest } from './catalog-requests.ts'
import { generateCatalog } from './generated-catalog.ts'
import { seeded, type Random } from './random.ts'

const catalog = generateCatalog({ seed: 'test', count: 5000, now: new Date('2026-03-01T12:00:00.000Z') })
const REQUESTS: Record<string, (random: Random) => string> = {
  'filtered list': filteredList,
  'broad filter': broadFilter,
  facets: facetsOnly,
  search: (random) => search(random, catalog),
  suggestions: (random) => suggest(random, catalog),
}

function paths(name: string, count = 1000): string[] {
  const random = seeded(name)
  return Array.from({ length: count }, () => REQUESTS[name]?.(random) ?? '')
}

const queries = (name: string) => paths(name).map((path) => new URL(path, 'http://shop').searchParams)

describe('the requests of a scenario', () => {
  test.each(Object.keys(REQUESTS))('%s: are the same in every run', (name) => {
    expect(paths(name)).toEqual(paths(name))
  })

  test.each([
    ['filtered list', 0.9],
    ['search', 0.9],
    ['suggestions', 0.5],
    ['facets', 0.8],
    ['broad filter', 0.3],
  ])('%s: rarely repeat', (name, share) => {
    expect(new Set(paths(name)).size).toBeGreaterThan(1000 * share)
  })

  test('filter a category by at least one property', () => {
    for (const query of queries('filtered list')) {
      expect(query.get('category')).toBeTruthy()
      expect(['colors', 'sizes', 'tags', 'min_price', 'max_price', 'in_stock'].some((name) => query.has(name))).toBe(
        true,
      )
    }
  })

  test('search for one to three words', () => {
    const lengths = queries('search').map((query) => query.get('q')?.split(' ').length ?? 0)
    expect(new Set(lengths)).toEqual(new Set([1, 2, 3]))
  })

  test('type one or two words, from the first letter on', () => {
    const typed = queries('suggestions').map((query) => query.get('q') ?? '')
    expect(new Set(typed.map((text) => text.split(' ').length))).toEqual(new Set([1, 2]))
    expect(typed.some((text) => text.length === 1)).toBe(true)
  })
})
