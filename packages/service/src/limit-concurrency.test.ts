import { describe, expect, test } from 'vitest'
import { limitConcurrency } from './limit-concurrency.ts'

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
