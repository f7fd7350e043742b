import { afterEach, expect, test, vi } from 'vitest'
import { createLog, DependencyUnavailable, type Timer } from '@storefront/service'
import { processJobs } from './process-jobs.ts'

const lines: { level: string; msg: string; queue?: string; job?: number }[] = []
const log = createLog({ service: 'test', level: 'debug' }, { write: (line) => void lines.push(JSON.parse(line)) })

/** Jobs that wait in memory, and end when the test ends them. */
let due: number[] = []
let running = new Map<number, { end: (result?: undefined) => void; fail: (error: unknown) => void }>()
let worker: Timer

afterEach(() => {
  due = []
  running = new Map()
  lines.length = 0
})

function start(changes: Partial<Parameters<typeof processJobs<number>>[0]> = {}): void {
  worker = processJobs<number>({
    name: 'numbers',
    log,
    everyMs: 60_000,
    atOnce: 2,
    claim: async (limit) => due.splice(0, limit),
    run: (job) =>
      new Promise<undefined>((end, fail) => running.set(job, { end, fail })).finally(() => running.delete(job)),
    about: (job) => ({ job }),
    ...changes,
  })
  worker.wake()
}

const runningJobs = () => [...running.keys()]
/** The default of a second may be too short on a busy machine. */
const TIME_LIMIT = { timeout: 60_000 }
/** Without leases nothing in a queue waits for a timer, so all that can happen has happened by then. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 5))

test('no more jobs run at once than are allowed, and the next one begins when one ends', async () => {
  due = [1, 2, 3, 4]
  start()
  await settled()
  expect(runningJobs()).toEqual([1, 2])
  running.get(2)?.end()
  await settled()
  expect(runningJobs()).toEqual([1, 3])
  for (const job of [1, 3]) running.get(job)?.end()
  await settled()
  expect(runningJobs()).toEqual([4])
  running.get(4)?.end()
  await worker.stop()
})

test('a stop claims nothing more and waits for what runs', async () => {
  due = [1, 2, 3]
  start()
  await settled()
  let stopped = false
  const stopping = worker.stop().then(() => (stopped = true))
  running.get(1)?.end()
  await settled()
  expect([stopped, due]).toEqual([false, [3]])
  running.get(2)?.end()
  await stopping
  expect(due).toEqual([3])
})

test('a result that could not be recorded is logged with its job, as an error unless the database was away', async () => {
  due = [1, 2]
  start()
  await settled()
  running.get(1)?.fail(new Error('a bug'))
  running.get(2)?.fail(new DependencyUnavailable('postgres', new Error('gone')))
  await worker.stop()
  expect(lines).toMatchObject([
    { level: 'error', queue: 'numbers', job: 1, msg: expect.stringContaining('stays claimed until its lease ends') },
    { level: 'warn', queue: 'numbers', job: 2 },
  ])
})

test('nothing is claimed before the queue is ready', async () => {
  let beReady: () => void = () => {}
  due = [1]
  start({ ready: new Promise((resolve) => (beReady = resolve)) })
  await settled()
  expect(runningJobs()).toEqual([])
  beReady()
  await settled()
  expect(runningJobs()).toEqual([1])
  running.get(1)?.end()
  await worker.stop()
})

test('leases are renewed until the results of the last jobs are written', async () => {
  let renewed: number[][] = []
  due = [1, 2]
  const renew = async (jobs: number[]) => void renewed.push(jobs)
  start({ lease: { leaseMs: 8, renew, reclaim: async () => false } })
  await vi.waitFor(() => expect(renewed).toContainEqual([1, 2]), TIME_LIMIT)
  running.get(1)?.end()
  const stopped = worker.stop()
  await vi.waitFor(() => expect(renewed).toContainEqual([2]), TIME_LIMIT)
  running.get(2)?.end()
  await stopped
  renewed = []
  // Long enough for ten renewals.
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(renewed).toEqual([])
})

test('jobs of a dead replica run as soon as they are reclaimed', async () => {
  const lost = [3]
  start({
    lease: {
      leaseMs: 8,
      renew: async () => {},
      reclaim: async () => due.push(...lost.splice(0)) > 0,
    },
  })
  await vi.waitFor(() => expect(runningJobs()).toEqual([3]), TIME_LIMIT)
  running.get(3)?.end()
  await worker.stop()
})
