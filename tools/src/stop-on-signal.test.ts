import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ignoreClosedTerminal, stopOnSignal } from './stop-on-signal.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

function begin() {
  const source = new EventEmitter()
  const stop = vi.fn<() => void>()
  const endAtOnce = vi.fn<() => void>()
  stopOnSignal({ stop, endAtOnce, source })
  return { source, stop, endAtOnce }
}

test('the two signals that one Ctrl-C sends under npm cause one orderly stop', () => {
  const { source, stop, endAtOnce } = begin()
  source.emit('SIGINT')
  vi.advanceTimersByTime(20)
  source.emit('SIGINT')
  expect(stop).toHaveBeenCalledOnce()
  expect(endAtOnce).not.toHaveBeenCalled()
})

test('a second Ctrl-C ends everything at once, and the signals after it change nothing', () => {
  const { source, stop, endAtOnce } = begin()
  source.emit('SIGINT')
  vi.advanceTimersByTime(3000)
  source.emit('SIGINT')
  vi.advanceTimersByTime(20)
  source.emit('SIGINT')
  vi.advanceTimersByTime(3000)
  source.emit('SIGTERM')
  expect(stop).toHaveBeenCalledOnce()
  expect(endAtOnce).toHaveBeenCalledOnce()
})

test('a closed terminal or a stop request of the system causes an orderly stop, like Ctrl-C', () => {
  for (const signal of ['SIGHUP', 'SIGTERM']) {
    const { source, stop, endAtOnce } = begin()
    source.emit(signal)
    expect(stop).toHaveBeenCalledOnce()
    expect(endAtOnce).not.toHaveBeenCalled()
  }
})

test('what cannot be printed on a closed terminal is lost, and nothing else', () => {
  const output = new EventEmitter()
  ignoreClosedTerminal([output])
  expect(() => output.emit('error', new Error('write EIO'))).not.toThrow()
})
