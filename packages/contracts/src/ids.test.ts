import { describe, expect, test } from 'vitest'
import { ID_PREFIXES, newId, OpaqueId, type IdKind } from './ids.ts'

describe('an id', () => {
  test('begins with the prefix of its kind, and no two kinds share one', () => {
    const prefixes = Object.values(ID_PREFIXES)
    expect(new Set(prefixes).size).toBe(prefixes.length)
    expect(newId('cart')).toMatch(/^cart_[0-9a-f]{32}$/)
    expect(newId('order')).toMatch(/^order_[0-9a-f]{32}$/)
  })

  test('is never given twice', () => {
    const kinds: IdKind[] = ['cart', 'order', 'line']
    const ids = kinds.flatMap((kind) => Array.from({ length: 1000 }, () => newId(kind)))
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(OpaqueId.safeParse(id).success).toBe(true)
  })

  test('from outside is text of 1 to 200 characters', () => {
    for (const value of ['', 'x'.repeat(201), 1, null, ['cart_1'], {}]) {
      expect(OpaqueId.safeParse(value).success).toBe(false)
    }
  })
})
