import { expect, test } from 'vitest'
import { verdict } from './verdict.ts'

const good = { lost: 0, duplicated: 0 }

test('runs are good when no message was lost or duplicated', () => {
  expect(verdict([good, good])).toEqual({ sentence: 'In all runs together 0 lost, 0 duplicated.', isGood: true })
})

test.each([
  [{ lost: 2, duplicated: 0 }, 'In all runs together 2 lost, 0 duplicated.'],
  [{ lost: 0, duplicated: 1 }, 'In all runs together 0 lost, 1 duplicated.'],
  // More messages than were written is a failure as well.
  [{ lost: -1, duplicated: 0 }, 'In all runs together -1 lost, 0 duplicated.'],
])('runs are not good when one of them reports %o', (bad, sentence) => {
  expect(verdict([good, bad])).toEqual({ sentence, isGood: false })
})
