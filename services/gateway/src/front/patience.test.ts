import { expect, test } from 'vitest'
import { PATIENCE, patienceWith } from './patience.ts'

test('whoever lifts the limit of requests is not bounded at once either, and waits for nobody any longer', () => {
  expect(patienceWith(600)).toEqual(PATIENCE)
  const { connectionsPerAddress, uploadsPerAddress, requestsPerAddress, ...rest } = patienceWith(0)
  expect([connectionsPerAddress, uploadsPerAddress, requestsPerAddress]).toEqual([Infinity, Infinity, Infinity])
  expect(PATIENCE).toMatchObject(rest)
})
