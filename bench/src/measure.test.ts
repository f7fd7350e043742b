import { expect, test } from 'vitest'
import { measureDuring } from './measure.ts'

test('a failure of the work beside the measured work counts as well', async () => {
  const reading = { perSecond: 100, p50Ms: 1, p99Ms: 2, failures: 1 }
  const selling = { perSecond: 0, p50Ms: 5, p99Ms: 9, failures: 3 }
  expect(await measureDuring(Promise.resolve(reading), Promise.resolve(selling))).toEqual({ ...reading, failures: 4 })
})
