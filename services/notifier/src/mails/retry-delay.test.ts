import { expect, test } from 'vitest'
import { mailRetryDelayMs } from './retry-delay.ts'

const MINUTE_MS = 60_000
const pauses = (isAboutLink: boolean, random: number) =>
  Array.from({ length: 12 }, (_, index) => mailRetryDelayMs(index + 1, { isAboutLink, random }))

test('pauses grow threefold from five seconds to an hour', () => {
  const grown = pauses(false, 0)
  expect(grown.slice(0, 4)).toEqual([5000, 15_000, 45_000, 135_000])
  expect(grown.at(-1)).toBe(60 * MINUTE_MS)
})

test('a mail with a link waits for five minutes at most, because its link soon expires', () => {
  expect(pauses(true, 0).slice(0, 4)).toEqual([5000, 15_000, 45_000, 135_000])
  expect(Math.max(...pauses(true, 1))).toBe(5 * MINUTE_MS)
})
