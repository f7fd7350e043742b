import { expect, test } from 'vitest'
import { TIMEOUTS, timeoutsWith } from './timeouts.ts'

test('without a limit of requests there is no limit of concurrent ones either, and the timeouts stay', () => {
  expect(timeoutsWith(600)).toEqual(TIMEOUTS)
  const { connectionsPerAddress, uploadsPerAddress, requestsPerAddress, ...rest } = timeoutsWith(0)
  expect([connectionsPerAddress, uploadsPerAddress, requestsPerAddress]).toEqual([Infinity, Infinity, Infinity])
  expect(TIMEOUTS).toMatchObject(rest)
})
