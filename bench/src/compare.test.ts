import { describe, expect, test } from 'vitest'
import { compare, describeRatio, median } from './compare.ts'

const pairs = (...values: [number, number][]) => values.map(([before, after]) => ({ before, after }))

describe('two versions', () => {
  test('differ when all pairs agree, however much the machine slowed both', () => {
    const found = compare(pairs([100, 120], [50, 62], [200, 230], [90, 110], [100, 125]))
    expect(found).toMatchObject({ before: 100, after: 120, differs: true })
    expect(describeRatio(found)).toBe('1.22 (1.15 to 1.25)')
  })

  test('do not differ when one pair contradicts the others', () => {
    const found = compare(pairs([100, 120], [100, 121], [100, 122], [100, 99], [100, 124]))
    expect(found.differs).toBe(false)
    expect(describeRatio(found)).toBe('no difference: 1.21 (0.99 to 1.24)')
  })

  test('do not differ by fewer than five pairs, which agree by chance', () => {
    expect(compare(pairs([100, 50], [100, 51], [100, 52], [100, 53])).differs).toBe(false)
  })

  test('do not differ when nothing was measured', () => {
    expect(compare([]).differs).toBe(false)
    expect(compare(pairs([0, 0], [0, 0], [0, 0], [0, 0], [0, 0])).differs).toBe(false)
  })
})

test('the median of an even number of values lies between the two in the middle', () => {
  expect(median([4, 1, 3, 2])).toBe(2.5)
})
