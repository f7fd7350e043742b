import { describe, expect, test } from 'vitest'
import { circuitAfter, OPENS_AFTER } from './circuit.ts'

const NOW = new Date('2026-03-02T10:00:00.000Z')
const CLOSED = { failures: 0, pausedUntil: null }
const inMs = (ms: number) => new Date(NOW.getTime() + ms)
type Given = Parameters<typeof circuitAfter>
const after = (circuit: Given[0], outcome: Partial<Given[1]>, random = 0) =>
  circuitAfter(circuit, { worked: false, failures: 0, probe: undefined, retryAfterMs: 0, ...outcome }, NOW, random)

describe('the circuit of an endpoint', () => {
  test('opens with the tenth failure in a row, for five seconds and up to a fifth more', () => {
    const nine = after(CLOSED, { failures: 9 })
    expect(nine).toEqual({ failures: 9, pausedUntil: null })
    expect(after(nine, { failures: 1 })).toEqual({ failures: OPENS_AFTER, pausedUntil: inMs(5000) })
    expect(after(nine, { failures: 7 }, 1)).toEqual({ failures: OPENS_AFTER, pausedUntil: inMs(6000) })
  })

  test('restarts its count after a success, also within one batch', () => {
    expect(after({ failures: 9, pausedUntil: null }, { worked: true, failures: 3 })).toEqual({
      failures: 3,
      pausedUntil: null,
    })
    expect(after({ failures: 4, pausedUntil: null }, { worked: true, failures: 12 }).pausedUntil).toEqual(inMs(5000))
  })

  test('doubles its pause with each failed probe, up to five minutes', () => {
    let circuit = after(CLOSED, { failures: 10 })
    const pauses = Array.from({ length: 8 }, () => {
      circuit = after(circuit, { failures: 1, probe: 'failed' })
      return ((circuit.pausedUntil?.getTime() ?? 0) - NOW.getTime()) / 1000
    })
    expect(pauses).toEqual([10, 20, 40, 80, 160, 300, 300, 300])
  })

  test('ignores failures of attempts from before it opened', () => {
    const open = { failures: 12, pausedUntil: inMs(20_000) }
    expect(after(open, { failures: 8 })).toEqual(open)
  })

  test('closes with any success', () => {
    expect(after({ failures: 15, pausedUntil: inMs(160_000) }, { worked: true })).toEqual(CLOSED)
  })

  test('lets the next probe go when one was interrupted', () => {
    const open = { failures: 12, pausedUntil: inMs(60_000) }
    expect(after(open, { probe: 'interrupted' })).toEqual({ failures: 12, pausedUntil: NOW })
  })

  test('stays open as long as the receiver requests, up to five minutes', () => {
    expect(after(CLOSED, { failures: 10, retryAfterMs: 60_000 }).pausedUntil).toEqual(inMs(60_000))
    const open = { failures: 10, pausedUntil: NOW }
    expect(after(open, { failures: 1, probe: 'failed', retryAfterMs: 3_600_000 }).pausedUntil).toEqual(inMs(300_000))
  })
})
