import { describe, expect, test } from 'vitest'
import { Arrivals } from './arrivals.ts'

describe('the arrivals of a run', () => {
  test('are measured from the due time of each commit', () => {
    const arrivals = new Arrivals()
    for (let number = 0; number < 100; number++) arrivals.note(number, 1000 + number * 10 + (number === 99 ? 500 : 20))
    expect(arrivals.report({ startMs: 1000, perSecond: 100, count: 100 })).toEqual({
      p50Ms: 20,
      p99Ms: 20,
      maxMs: 500,
      lost: 0,
      duplicated: 0,
      lastMs: 2490,
    })
  })

  test('report duplicate and lost messages', () => {
    const arrivals = new Arrivals()
    arrivals.note(0, 1005)
    arrivals.note(0, 1900)
    const report = arrivals.report({ startMs: 1000, perSecond: 1, count: 3 })
    expect(report).toMatchObject({ lost: 2, duplicated: 1, maxMs: 5 })
    expect(arrivals.count).toBe(1)
  })
})
