import { describe, expect, test } from 'vitest'
import { nearestName } from './nearest-name.ts'

const DISCOUNT = ['code', 'kind', 'value', 'label', 'active', 'startsAt', 'endsAt', 'minSubtotal', 'usageLimit']

describe('the nearest valid name', () => {
  test.each([
    ['startsOn', DISCOUNT, 'startsAt'],
    ['freeshippingOver', ['returnsWindowDays', 'freeShippingOver'], 'freeShippingOver'],
    ['min_subtotal', DISCOUNT, 'minSubtotal'],
    ['labell', DISCOUNT, 'label'],
    ['validUntil', DISCOUNT, 'endsAt'],
    ['number', ['carrier', 'code', 'url'], 'code'],
    ['action', ['status', 'tracking', 'attention'], 'status'],
    ['email', ['q', 'status', 'customer'], 'customer'],
  ])('of %s is likely', (given, names, name) => {
    expect(nearestName(given, names)).toEqual({ name, isLikely: true })
  })

  test('is returned even when it is not likely', () => {
    for (const given of ['automatic', 'constructor', 'toString', '__proto__', '', '\u{1f9f6}']) {
      expect(nearestName(given, DISCOUNT)).toEqual({ name: expect.toBeOneOf(DISCOUNT), isLikely: false })
    }
  })

  test('is undefined when no name is allowed', () => {
    expect(nearestName('anything', [])).toBeUndefined()
  })

  test('is found at once for a name of a megabyte', () => {
    const before = process.threadCpuUsage()
    expect(nearestName('x'.repeat(1024 * 1024), DISCOUNT)?.isLikely).toBe(false)
    expect(process.threadCpuUsage(before).user).toBeLessThan(500_000)
  })
})
