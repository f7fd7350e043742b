import { expect, test } from 'vitest'
import { daysOfPage, furthestBehind, mergePages, NUMBER_STEP, serverOf, serverOfNumber } from './merged-orders.ts'

/** Sixty orders of ten days, two of them flagged, as one server would list them. */
const LIST = Array.from({ length: 60 }, (_, place) => ({
  flagged: place === 7 || place === 31,
  placedAt: `2026-03-${10 + Math.floor(place / 6)}T12:00:00.00000${place % 3}Z`,
  id: `order_${String(place).padStart(2, '0')}`,
}))
const SORTED = LIST.toSorted(
  (one, other) =>
    Number(other.flagged) - Number(one.flagged) ||
    other.placedAt.localeCompare(one.placedAt) ||
    other.id.localeCompare(one.id),
)
const partsOf = (list: typeof LIST) =>
  [0, 1, 2].map((server) => list.filter(({ id }) => serverOf(id, 3) === server).toReversed())
const dayOf = ({ placedAt }: { placedAt: string }) => placedAt.slice(0, 10)

test('a cart is on the same server as in SQL', () => {
  // The first bytes of their md5 are 0x98, 0xb3 and 0x45.
  expect(['cart_1', 'cart_2', 'cart_3'].map((id) => serverOf(id, 4))).toEqual([0, 3, 1])
})

test('pages merged from several servers are those of one', () => {
  for (const skip of [0, 5, 20, 55]) expect(mergePages(partsOf(LIST), skip, 7)).toEqual(SORTED.slice(skip, skip + 7))
})

test('a page far down the list is found on few days, by the counts of all servers', () => {
  const counts = LIST.map((order) => ({ day: dayOf(order), flagged: order.flagged, orders: 1 }))
  for (const skip of [0, 1, 2, 13, 30, 58]) {
    const { days, skip: left } = daysOfPage(counts, skip, 5)
    expect(days.length).toBeLessThanOrEqual(4)
    const onDays = LIST.filter((order) =>
      days.some(({ day, flagged }) => day === dayOf(order) && flagged === order.flagged),
    )
    expect(mergePages(partsOf(onDays), left, 5)).toEqual(SORTED.slice(skip, skip + 5))
  }
})

test('a number names its server, unless it is of before the split', () => {
  const first = 20 * NUMBER_STEP
  expect([first, first + 3, first + NUMBER_STEP + 3].map((number) => serverOfNumber(number, first))).toEqual([0, 3, 3])
  expect(serverOfNumber(first - 1, first)).toBeUndefined()
})

test('numbers of several servers are behind each other by what one of them is ahead', () => {
  expect(furthestBehind([])).toBe(0)
  expect(furthestBehind([16, 17, 32, 48, 33, 64])).toBe(15)
})
