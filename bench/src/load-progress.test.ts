import { describe, expect, test } from 'vitest'
import { showLoadProgress } from './load-progress.ts'

function watch(isTTY: boolean) {
  const written: string[] = []
  const time = { ms: 0 }
  const out = { isTTY, write: (text: string) => written.push(text) > 0 }
  return { written, time, progress: showLoadProgress(out, 10_000, () => time.ms) }
}

describe('the progress of a load', () => {
  test('is updated in place, at most twice a second, on a terminal', () => {
    const { written, time, progress } = watch(true)
    for (let count = 0; count < 10; count++) {
      time.ms += 100
      progress.reached(500 * (count + 1))
    }
    expect(written).toEqual([
      '\r\u001b[2K2,500 of 10,000 products, 5,000/s, 2 s left',
      '\r\u001b[2K5,000 of 10,000 products, 5,000/s, 1 s left',
    ])
  })

  test('is an occasional line without control characters elsewhere', () => {
    const { written, time, progress } = watch(false)
    for (const seconds of [1, 4, 6, 8]) {
      time.ms = seconds * 1000
      progress.reached(seconds * 10)
    }
    time.ms = 10_000
    progress.reached(10_000)
    progress.end()
    expect(written).toEqual(['60 of 10,000 products, 10/s, 16 min 34 s left\n', '10,000 of 10,000 products, 1,000/s\n'])
  })
})
