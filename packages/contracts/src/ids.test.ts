import { setTimeout } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { ID_PREFIXES, newId, OpaqueId } from './ids.ts'

const CAPABILITIES = ['cart', 'order', 'draftOrder', 'payment', 'session', 'reservation'] as const
const HOUR_MS = 3_600_000

afterEach(() => {
  vi.useRealTimers()
})

/** Fake time begins at zero again in each test, and the hour of earlier ids must have passed. */
let startHours = 0
function startFakeTime(): void {
  vi.useFakeTimers()
  startHours += 1000
  vi.advanceTimersByTime(startHours * HOUR_MS)
}

describe('an id', () => {
  test('begins with the prefix of its kind, and no two kinds share a prefix', () => {
    const prefixes = Object.values(ID_PREFIXES)
    expect(new Set(prefixes).size).toBe(prefixes.length)
    expect(newId('cart')).toMatch(/^cart_[0-9a-f]{36}$/)
    expect(newId('line')).toMatch(/^line_[0-9a-f]{32}$/)
  })

  test('reveals nothing, not even its creation time, when it is a capability', () => {
    startFakeTime()
    for (const kind of CAPABILITIES) {
      const made = Array.from({ length: 100 }, () => {
        vi.advanceTimersByTime(HOUR_MS)
        return newId(kind).split('_')[1] ?? ''
      })
      expect(new Set(made.map((digits) => digits.slice(0, 4))).size, kind).toBeGreaterThan(90)
      expect(new Set(made.map((digits) => digits.slice(4, 12))).size, kind).toBeGreaterThan(90)
      const rising = made.filter((digits, index) => digits > (made[index - 1] ?? '')).length
      expect(rising, kind).toBeLessThan(80)
    }
  })

  test('is near those that were made in the same hour when it is a capability', () => {
    startFakeTime()
    const beginnings = () => {
      const ids = CAPABILITIES.flatMap((kind) => Array.from({ length: 50 }, () => newId(kind)))
      return new Set(ids.map((id) => id.split('_')[1]?.slice(0, 4)))
    }
    const first = beginnings()
    vi.advanceTimersByTime(HOUR_MS - 1000)
    expect(beginnings()).toEqual(first)
    expect(first.size).toBe(1)
    const later = Array.from({ length: 4 }, () => {
      vi.advanceTimersByTime(HOUR_MS)
      return [...beginnings()]
    })
    expect(new Set(later.flat()).size).toBeGreaterThan(1)
  })

  test('is unique across many fetches of random bytes', () => {
    const ids = Array.from({ length: 5000 }, (_, index) => newId(index % 2 === 0 ? 'cart' : 'line'))
    expect(new Set(ids).size).toBe(5000)
  })

  test('has 128 random bits when it is a capability: no digit is always the same', () => {
    for (const kind of CAPABILITIES) {
      // The digits after those that all ids of an hour have.
      const ids = Array.from({ length: 200 }, () => newId(kind).split('_')[1]?.slice(4) ?? '')
      const fewest = Math.min(...Array.from({ length: 32 }, (_, place) => new Set(ids.map((id) => id[place])).size))
      // Each place has 16 possible digits, while a UUID has one at the 13th place and four at the 17th.
      expect(fewest, kind).toBeGreaterThan(10)
    }
  })

  test('sorts after those that were made before it when it is not a capability', async () => {
    const before = Array.from({ length: 100 }, () => newId('variant'))
    // Ids of the same millisecond have no order.
    await setTimeout(2)
    const after = Array.from({ length: 100 }, () => newId('variant'))
    expect([...before, ...after].toSorted().slice(0, 100).toSorted()).toEqual(before.toSorted())
  })

  test('is never issued twice', () => {
    const kinds = ['cart', 'order', 'line', 'variant'] as const
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
