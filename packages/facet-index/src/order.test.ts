import { array, assert, boolean, integer, property, record, uniqueArray } from 'fast-check'
import { expect, test } from 'vitest'
import { Order } from './order.ts'

const ITEMS = 300

/** Items that get other values at once: a few are moved one by one, many are merged. */
const change = record({
  ordinals: uniqueArray(integer({ min: 0, max: ITEMS - 1 }), { maxLength: 60 }),
  value: integer({ min: 0, max: 20 }),
  goes: boolean(),
})

test('is the order that sorting from scratch would give, however items are added, deleted and moved', () => {
  assert(
    property(array(change, { maxLength: 15 }), (changes) => {
      const values = new Map<number, number>()
      const compare = (one: number, other: number) => (values.get(one) ?? 0) - (values.get(other) ?? 0) || one - other
      const order = new Order(compare)
      for (const { ordinals, value, goes } of changes) {
        order.remove(ordinals.filter((ordinal) => values.has(ordinal)))
        for (const ordinal of ordinals) {
          if (goes) values.delete(ordinal)
          else values.set(ordinal, (value + ordinal * 7) % 20)
        }
        if (!goes) order.insert(ordinals)
      }
      const sorted = [...values.keys()].toSorted(compare)
      expect(Array.from({ length: order.size }, (_, place) => order.at(place))).toEqual(sorted)
      for (const bound of [-1, 0, 7, 19, 20]) {
        const first = sorted.findIndex((ordinal) => (values.get(ordinal) ?? 0) > bound)
        const found = order.firstPlace((ordinal) => (values.get(ordinal) ?? 0) > bound)
        expect(found).toBe(first < 0 ? sorted.length : first)
      }
    }),
    { numRuns: 300 },
  )
})
