import { describe, expect, test } from 'vitest'
import { takeTurns } from './take-turns.ts'

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

describe('taking turns', () => {
  test('runs a limited number at once, starts the next when one is done, and rejects when the queue is full', async () => {
    const inTurn = takeTurns({ atOnce: 1, waiting: 1, error: () => new Error('full') })
    const [first, second, third] = [work(), work(), work()]
    const one = inTurn(first.run)
    const two = inTurn(second.run)
    await expect(inTurn(third.run)).rejects.toThrow('full')
    expect([first.hasStarted(), second.hasStarted()]).toEqual([true, false])
    first.finish('one')
    await expect(one).resolves.toBe('one')
    const four = inTurn(third.run)
    second.finish('two')
    third.finish('three')
    await expect(Promise.all([two, four])).resolves.toEqual(['two', 'three'])
  })

  test('continues when a task fails', async () => {
    const inTurn = takeTurns({ atOnce: 1, waiting: 1, error: () => new Error('full') })
    const failing = inTurn(() => Promise.reject(new Error('broken')))
    const next = inTurn(() => Promise.resolve('fine'))
    await expect(failing).rejects.toThrow('broken')
    await expect(next).resolves.toBe('fine')
  })
})
