import { expect, test } from 'vitest'
import { waitFor } from '@storefront/service/testing'
import { tooManyUploads } from '../errors.ts'
import { createWorkQueue } from './work-queue.ts'

/** Work that ends when the test ends it. */
function task() {
  const { promise, resolve } = Promise.withResolvers<void>()
  let begun = false
  return {
    end: resolve,
    hasBegun: () => begun,
    run: () => {
      begun = true
      return promise
    },
  }
}

test('only a limited number of tasks run at the same time, and the others follow in order of arrival', async () => {
  const queue = createWorkQueue({ atOnce: 2, maxWaiting: 10, maxWaitMs: 60_000, full: tooManyUploads })
  const tasks = [task(), task(), task(), task()]
  const all = Promise.all(tasks.map(({ run }) => queue(run)))
  await waitFor('the first two', () => tasks[1]?.hasBegun())
  expect(tasks.map((one) => one.hasBegun())).toEqual([true, true, false, false])
  tasks[1]?.end()
  await waitFor('the third', () => tasks[2]?.hasBegun())
  expect(tasks[3]?.hasBegun()).toBe(false)
  for (const one of tasks) one.end()
  await all
  expect(tasks[3]?.hasBegun()).toBe(true)
})

test('a full queue rejects work at once, and failed work makes room for the next', async () => {
  const queue = createWorkQueue({ atOnce: 1, maxWaiting: 1, maxWaitMs: 60_000, full: tooManyUploads })
  const first = task()
  const failing = queue(async () => {
    await first.run()
    throw new Error('broken')
  })
  const second = queue(async () => 'done')
  await expect(queue(async () => 'too late')).rejects.toMatchObject({ status: 503, retryAfterSeconds: 2 })
  first.end()
  await expect(failing).rejects.toThrow('broken')
  expect(await second).toBe('done')
  expect(await queue(async () => 'free again')).toBe('free again')
})

test('work waits for a limited time only, and makes room when it is rejected', async () => {
  const queue = createWorkQueue({ atOnce: 1, maxWaiting: 5, maxWaitMs: 20, full: tooManyUploads })
  const first = task()
  const inside = queue(first.run)
  await expect(queue(async () => 'never')).rejects.toMatchObject({ code: 'service_unavailable' })
  first.end()
  await inside
  expect(await queue(async () => 'next')).toBe('next')
})
