import { array, assert, boolean, constantFrom, integer, property, record } from 'fast-check'
import { expect, test } from 'vitest'
import { bitsFor, countBits, forEachBit } from './bits.ts'
import { OrdinalSet } from './ordinal-set.ts'

const CAPACITY = 4000

/** Runs of ordinals, so that a set becomes large enough to be kept as bits, and small again. */
const run = record({ adds: boolean(), start: integer({ min: 0, max: CAPACITY - 1 }), step: constantFrom(1, 2, 7, 31) })

function ordinalsOf({ start, step }: { start: number; step: number }): number[] {
  return Array.from({ length: 150 }, (_, place) => (start + place * step) % CAPACITY)
}

test('holds the same members as a set of numbers, whatever is added and deleted in any order', () => {
  assert(
    property(array(run, { maxLength: 20 }), array(integer({ min: 0, max: CAPACITY - 1 })), (runs, others) => {
      const set = new OrdinalSet()
      const plain = new Set<number>()
      for (const each of runs) {
        for (const ordinal of ordinalsOf(each)) {
          if (each.adds) set.add(ordinal)
          else set.delete(ordinal)
          if (each.adds) plain.add(ordinal)
          else plain.delete(ordinal)
        }
      }
      const sorted = [...plain].toSorted((one, other) => one - other)
      expect(set.size).toBe(plain.size)
      const visited: number[] = []
      set.forEach((ordinal) => visited.push(ordinal))
      expect(visited).toEqual(sorted)
      expect(others.filter((ordinal) => set.has(ordinal))).toEqual(others.filter((ordinal) => plain.has(ordinal)))

      const united = bitsFor(CAPACITY)
      OrdinalSet.of([...new Set(others)].toSorted((one, other) => one - other)).uniteInto(united)
      expect(countBits(united)).toBe(new Set(others).size)
      expect(set.countIn(united)).toBe(new Set(others.filter((ordinal) => plain.has(ordinal))).size)
      set.uniteInto(united)
      const both: number[] = []
      forEachBit(united, (ordinal) => both.push(ordinal))
      expect(both).toEqual([...new Set([...sorted, ...others])].toSorted((one, other) => one - other))
    }),
    { numRuns: 200 },
  )
})

test('has nothing beyond its end', () => {
  const set = OrdinalSet.of(Array.from({ length: 1000 }, (_, ordinal) => ordinal))
  expect(set.has(999)).toBe(true)
  expect(set.has(5_000_000)).toBe(false)
  set.delete(5_000_000)
  expect(set.size).toBe(1000)
})
