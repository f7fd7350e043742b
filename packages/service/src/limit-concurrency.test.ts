import { describe, expect, test } from 'vitest'
import { HttpError } from './http-error.ts'
import { limitConcurrency } from './limit-concurrency.ts'
import { waitFor } from './testing/wait-for.ts'

/** Work that ends when the test ends it. */
function work() {
  const { promise, resolve } = Promise.withResolvers<string>()
  let started = false
  return {
    finish: resolve,
    hasStarted: () => started,
    run: () => {
      started = true
      return promise
    },
  }
}

const busy = () => new HttpError('service_unavailable', 'Too busy. Please try again.', { retryAfterSeconds: 2 })

describe('a concurrency limit', () => {
  test('runs a limited number at once, starts the next when one is done, and rejects when the queue is full', async () => {
    const limited = limitConcurrency({ atOnce: 1, waiting: 1, error: () => new Error('full') })
    const [first, second, third] = [work(), work(), work()]
    const one = limited(first.run)
    const two = limited(second.run)
    await expect(limited(third.run)).rejects.toThrow('full')
    expect([first.hasStarted(), second.hasStarted()]).toEqual([true, false])
    first.finish('one')
    await expect(one).resolves.toBe('one')
    const four = limited(third.run)
    second.finish('two')
    third.finish('three')
    await expect(Promise.all([two, four])).resolves.toEqual(['two', 'three'])
  })

  test('continues when a task fails', async () => {
    const limited = limitConcurrency({ atOnce: 1, waiting: 1, error: () => new Error('full') })
    const failing = limited(() => Promise.reject(new Error('broken')))
    const next = limited(() => Promise.resolve('fine'))
    await expect(failing).rejects.toThrow('broken')
    await expect(next).resolves.toBe('fine')
  })
})

test('only a limited number of tasks run at the same time, and the others follow in order of arrival', async () => {
  const limited = limitConcurrency({ atOnce: 2, waiting: 10, maxWaitMs: 60_000, error: busy })
  const tasks = [work(), work(), work(), work()]
  const all = Promise.all(tasks.map(({ run }) => limited(run)))
  await waitFor('the first two', () => tasks[1]?.hasStarted())
  expect(tasks.map((one) => one.hasStarted())).toEqual([true, true, false, false])
  tasks[1]?.finish('')
  await waitFor('the third', () => tasks[2]?.hasStarted())
  expect(tasks[3]?.hasStarted()).toBe(false)
  for (const one of tasks) one.finish('')
  await all
  expect(tasks[3]?.hasStarted()).toBe(true)
})

test('a full queue rejects work at once, and failed work makes room for the next', async () => {
  const limited = limitConcurrency({ atOnce: 1, waiting: 1, maxWaitMs: 60_000, error: busy })
  const first = work()
  const failing = limited(async () => {
    await first.run()
    throw new Error('broken')
  })
  const second = limited(async () => 'done')
  await expect(limited(async () => 'too late')).rejects.toMatchObject({ status: 503, retryAfterSeconds: 2 })
  first.finish('')
  await expect(failing).rejects.toThrow('broken')
  expect(await second).toBe('done')
  expect(await limited(async () => 'free again')).toBe('free again')
})

test('work waits for a limited time only, and makes room when it is rejected', async () => {
  const limited = limitConcurrency({ atOnce: 1, waiting: 5, maxWaitMs: 20, error: busy })
  const first = work()
  const inside = limited(first.run)
  await expect(limited(async () => 'never')).rejects.toMatchObject({ code: 'service_unavailable' })
  first.finish('')
  await inside
  expect(await limited(async () => 'next')).toBe('next')
})
