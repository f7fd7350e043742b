import { expect, test } from 'vitest'
import { replayEach } from './replay-each.ts'

test('a delivery that cannot be sent again does not stop the others', async () => {
  const tried: number[] = []
  const replay = (id: string) => (id === 'test' ? Promise.reject(new Error('is a test')) : Promise.resolve())
  const result = await replayEach(new Set(['first', 'test', 'last']), replay, (count) => tried.push(count))
  expect(result).toEqual({ sent: new Set(['first', 'last']), failures: [new Error('is a test')] })
  expect(tried).toEqual([1, 2, 3])
})
