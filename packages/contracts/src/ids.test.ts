import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { ID_PREFIXES, newId, OpaqueId, type IdKind } from './ids.ts'

describe('an id', () => {
  test('begins with the prefix of its kind, and no two kinds share a prefix', () => {
    const prefixes = Object.values(ID_PREFIXES)
    expect(new Set(prefixes).size).toBe(prefixes.length)
    expect(newId('cart')).toMatch(/^cart_[0-9a-f]{32}$/)
    expect(newId('order')).toMatch(/^order_[0-9a-f]{32}$/)
  })

  test('reveals nothing, not even its creation time, when it is a capability', () => {
    for (const kind of ['cart', 'order', 'payment', 'session', 'reservation'] as const) {
      const beginnings = new Set(Array.from({ length: 100 }, () => newId(kind).split('_')[1]?.slice(0, 8)))
      expect(beginnings.size, kind).toBeGreaterThan(90)
    }
  })

  test('is given once', () => {
    const ids = Array.from({ length: 5000 }, (_, index) => newId(index % 2 === 0 ? 'cart' : 'line'))
    expect(new Set(ids).size).toBe(5000)
  })

  test('has 128 random bits when it is a capability: no digit is always the same', () => {
    for (const kind of ['cart', 'order', 'payment', 'session', 'reservation'] as const) {
      const ids = Array.from({ length: 200 }, () => newId(kind).split('_')[1] ?? '')
      const fewest = Math.min(...Array.from({ length: 32 }, (_, place) => new Set(ids.map((id) => id[place])).size))
      // Each place has 16 possible digits, while a UUID has one at the 13th place and four at the 17th.
      expect(fewest, kind).toBeGreaterThan(10)
    }
  })

  test('sorts after those that were made before it when it is not a capability', async () => {
    const before = Array.from({ length: 100 }, () => newId('variant'))
    await setTimeout(2)
    const after = Array.from({ length: 100 }, () => newId('variant'))
    expect([...before, ...after].toSorted().slice(0, 100).toSorted()).toEqual(before.toSorted())
  })

  test('is never issued twice', () => {
    const kinds: IdKind[] = ['cart', 'order', 'line', 'variant']
    const ids = kinds.flatMap((kind) => Array.from({ length: 1000 }, () => newId(kind)))
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(OpaqueId.safeParse(id).success).toBe(true)
  })

  test('from outside is a string of 1 to 200 characters', () => {
    for (const value of ['', 'x'.repeat(201), 1, null, ['cart_1'], {}]) {
      expect(OpaqueId.safeParse(value).success).toBe(false)
    }
  })
})
