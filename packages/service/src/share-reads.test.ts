import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { shareReads } from './share-reads.ts'

test('callers of one turn of the event loop share a read, and the next turn reads again', async () => {
  let reads = 0
  const read = shareReads(async () => ++reads)
  expect(await Promise.all([read(), read()])).toEqual([1, 1])
  await setImmediate()
  expect(await read()).toBe(2)
})

test('a read that fails fails for those who share it, and not for the next turn', async () => {
  const results = [Promise.reject(new Error('lost')), Promise.resolve('found')]
  const read = shareReads(async () => results.shift())
  expect(await Promise.allSettled([read(), read()])).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }])
  await setImmediate()
  expect(await read()).toBe('found')
})
