import { expect, test } from 'vitest'
import { keepBusyWithoutFailure, measureDuring, measureOneByOne } from './measure.ts'

test('a failure of the work beside the measured work counts as well', async () => {
  const reading = { perSecond: 100, p50Ms: 1, p99Ms: 2, failures: 1 }
  const selling = { perSecond: 0, p50Ms: 5, p99Ms: 9, failures: 3 }
  expect(await measureDuring(Promise.resolve(reading), Promise.resolve(selling))).toEqual({ ...reading, failures: 4 })
})

test('work that must not fail is an error when a part of it failed, and a measurement otherwise', async () => {
  const failing = async (_caller: number, turn: number) => {
    if (turn === 0) throw new Error('no purchase')
  }
  await expect(keepBusyWithoutFailure(2, 0.02, failing)).rejects.toThrow(
    expect.objectContaining({ message: 'failed 2 times', cause: new Error('no purchase') }),
  )
  expect(await keepBusyWithoutFailure(1, 0.02, async () => {})).toMatchObject({ failures: 0 })
})

test('work that is done one by one begins with a tenth that is not measured, and its failure is an error', async () => {
  let turns = 0
  const { p50Ms, p99Ms } = await measureOneByOne(20, async () => turns++)
  expect(turns).toBe(22)
  expect(p50Ms).toBeLessThanOrEqual(p99Ms)
  await expect(measureOneByOne(1, () => Promise.reject(new Error('no page')))).rejects.toThrow('no page')
})
