import { expect, test, vi } from 'vitest'
import { batchCalls } from './batch-calls.ts'

const soon = () => new Promise((resolve) => setTimeout(resolve, 5))

test('calls of the same moment share one call of the work, and each gets its own result', async () => {
  const batches: (readonly number[])[] = []
  const double = batchCalls(1, async (items: readonly number[]) => {
    batches.push(items)
    return (item) => item * 2
  })
  expect(await Promise.all([double(3), double(1), double(2)])).toEqual([6, 2, 4])
  expect(await double(5)).toBe(10)
  expect(batches).toEqual([[3, 1, 2], [5]])
})

/** Work whose first call ends when `end` is called. */
function workThatStops() {
  const batches: (readonly number[])[] = []
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const work = batchCalls(0, async (items: readonly number[]) => {
    batches.push(items)
    if (batches.length === 1) await ended
    return (item) => item
  })
  return { work, batches, end }
}

test('calls during the work share the next one, which begins at its end', async () => {
  const { work, batches, end } = workThatStops()
  const first = work(1)
  await soon()
  const later = [work(2)]
  await soon()
  later.push(work(3))
  expect(batches).toEqual([[1]])
  end()
  expect(await Promise.all([first, ...later])).toEqual([1, 2, 3])
  expect(batches).toEqual([[1], [2, 3]])
})

test('work that is stuck holds up the next for a moment only', async () => {
  const { work, batches, end } = workThatStops()
  const first = work(1)
  await soon()
  expect(await Promise.all([work(2), work(3)])).toEqual([2, 3])
  expect(batches).toEqual([[1], [2, 3]])
  end()
  expect(await first).toBe(1)
})

test('a wait that is over aborts no signal, which would make an error', async () => {
  const abort = vi.spyOn(AbortController.prototype, 'abort')
  const work = batchCalls(0, async (items: readonly number[]) => (item) => item + items.length)
  expect(await work(1)).toBe(2)
  const calls = abort.mock.calls.length
  abort.mockRestore()
  expect(calls).toBe(0)
})

test('an error of one item is its caller’s alone, an error of the work is that of all its callers, and the next call works', async () => {
  const work = batchCalls(0, async (items: readonly number[]) => {
    if (items.includes(0)) throw new Error('nothing works')
    return (item) => {
      if (item < 0) throw new Error(`not ${item}`)
      return item
    }
  })
  expect(await Promise.allSettled([work(1), work(-1)])).toMatchObject([{ value: 1 }, { reason: new Error('not -1') }])
  expect(await Promise.allSettled([work(0), work(1)])).toMatchObject([
    { reason: new Error('nothing works') },
    { reason: new Error('nothing works') },
  ])
  expect(await work(4)).toBe(4)
})
