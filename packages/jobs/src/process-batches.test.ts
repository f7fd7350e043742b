import { afterEach, expect, test } from 'vitest'
import { createLog, DependencyUnavailable } from '@storefront/service'
import { waitFor } from '@storefront/service/testing'
import { processBatches } from './process-batches.ts'

const lines: { level: string; msg: string }[] = []
const log = createLog({ service: 'test', level: 'debug' }, { write: (line) => void lines.push(JSON.parse(line)) })

afterEach(() => {
  lines.length = 0
})

/** @param batches the result of each batch, or its error */
function start(batches: (boolean | Error | Promise<boolean>)[]) {
  let processed = 0
  let stopping: (() => boolean) | undefined
  const timer = processBatches({
    name: 'count',
    log,
    everyMs: 60_000,
    async next(isStopping) {
      stopping = isStopping
      processed++
      const result = await batches.shift()
      if (result instanceof Error) throw result
      return result ?? false
    },
  })
  timer.wake()
  return { timer, processed: () => processed, isStopping: () => stopping?.() }
}

test('batches follow each other until one returns that nothing is left', async () => {
  const { timer, processed } = start([true, true, false, true])
  await new Promise((resolve) => setTimeout(resolve, 5))
  await timer.stop()
  expect(processed()).toBe(3)
})

test('a stop signals the batch in progress, waits for it, and begins no other', async () => {
  let end: (hasMore: boolean) => void = () => {}
  const { timer, processed, isStopping } = start([new Promise<boolean>((resolve) => (end = resolve)), true])
  let stopped = false
  const stopping = timer.stop().then(() => (stopped = true))
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect([stopped, isStopping()]).toEqual([false, true])
  end(true)
  await stopping
  expect(processed()).toBe(1)
})

test('an error ends the run and is logged, an outage at debug level', async () => {
  const { timer } = start([new DependencyUnavailable('nats', new Error('gone'))])
  await timer.stop()
  const other = start([new Error('a bug')])
  await other.timer.stop()
  expect(lines).toMatchObject([
    { level: 'debug', queue: 'count' },
    { level: 'error', timer: 'count' },
  ])
})

test('an empty queue begins no batch until a row waits, or until it is woken', async () => {
  let waits = false
  let processed = 0
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  let looks = 0
  const timer = processBatches({
    name: 'count',
    log,
    everyMs: 1,
    isWaiting: () => {
      looks++
      return Promise.resolve(waits)
    },
    next() {
      processed++
      begin()
      return Promise.resolve(false)
    },
  })
  await waitFor('a few looks', () => looks > 3)
  expect(processed).toBe(0)
  waits = true
  await begun
  await timer.stop()

  const idle = processBatches({
    name: 'count',
    log,
    everyMs: 60_000,
    isWaiting: () => Promise.reject(new Error('looked although it was woken')),
    next() {
      processed++
      return Promise.resolve(false)
    },
  })
  const before = processed
  idle.wake()
  await idle.stop()
  expect(processed).toBe(before + 1)
})
