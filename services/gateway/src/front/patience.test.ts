import { expect, test } from 'vitest'
import { PATIENCE, patienceWith } from './patience.ts'

test('without a limit of requests there is no limit of concurrent ones either, and the timeouts stay', () => {
  expect(patienceWith(600)).toEqual(PATIENCE)
  const { connectionsPerAddress, uploadsPerAddress, requestsPerAddress, ...rest } = patienceWith(0)
  expect([connectionsPerAddress, uploadsPerAddress, requestsPerAddress]).toEqual([Infinity, Infinity, Infinity])
  expect(PATIENCE).toMatchObject(rest)
})
