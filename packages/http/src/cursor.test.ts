import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { cursorCodec } from './cursor.ts'

const codec = cursorCodec(z.tuple([z.string(), z.int()]))

describe('a cursor', () => {
  test('is read as it was written, and fits into an address', () => {
    const text = codec.encode(['Größe/ü?&', 7])
    expect(text).toMatch(/^[\w-]+$/)
    expect(codec.decode(text)).toEqual(['Größe/ü?&', 7])
  })

  test.each([
    ['nothing', ''],
    ['no JSON', 'AAAA'],
    ['other fields', cursorCodec(z.tuple([z.int()])).encode([7])],
    ['a text longer than any cursor', codec.encode(['x'.repeat(4000), 7])],
  ])('that holds %s is rejected', (_what, text) => {
    expect(() => codec.decode(text)).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        detail: { issues: [{ path: 'cursor', message: 'is not a cursor of this list' }] },
      }),
    )
  })
})
