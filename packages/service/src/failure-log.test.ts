import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { failureLog } from './failure-log.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('of failures in a row each message is logged once, and then the latest one every minute', () => {
  const lines: string[] = []
  const failing = failureLog(({ err, failures }) => lines.push(`${String(err)} ${failures}`))
  const fail = (message: string) => failing.failed(new Error(message))
  fail('away')
  fail('away')
  fail('timeout')
  fail('away')
  expect(lines).toEqual(['Error: away 1', 'Error: timeout 3'])

  vi.advanceTimersByTime(60_000)
  fail('away')
  fail('away')
  expect(lines.slice(2)).toEqual(['Error: away 5'])

  failing.succeeded()
  fail('away')
  expect(lines.slice(3)).toEqual(['Error: away 1'])
})
