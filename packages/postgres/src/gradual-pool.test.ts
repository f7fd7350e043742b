import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { GradualPool } from './gradual-pool.ts'

const OPENING_MS = 50
const SIZE = 10

interface Connection {
  release(): void
}

/** As `pg` behaves: an idle connection is taken at once, and any other is opened. */
class PoolOfTest extends EventEmitter {
  totalCount = 0
  idleCount = 0

  async connect(): Promise<Connection> {
    if (this.idleCount > 0) this.idleCount--
    else {
      this.totalCount++
      await new Promise((resolve) => setTimeout(resolve, OPENING_MS))
    }
    return {
      release: () => {
        this.emit('release')
        this.idleCount++
      },
    }
  }
}

let pool: PoolOfTest
let gradual: GradualPool<Connection>

beforeEach(() => {
  vi.useFakeTimers()
  pool = new PoolOfTest()
  gradual = new GradualPool(pool, { size: SIZE, waitMs: 3000 })
})
afterEach(() => void vi.useRealTimers())

/** Uses a connection for this long. */
async function use(ms: number): Promise<void> {
  const connection = await gradual.connect()
  await new Promise((resolve) => setTimeout(resolve, ms))
  connection.release()
}

const useTogether = (count: number, ms: number) => Promise.all(Array.from({ length: count }, () => use(ms)))

test('an empty pool opens two connections at once, however many callers there are', async () => {
  const all = useTogether(30, 1)
  await vi.advanceTimersByTimeAsync(OPENING_MS - 1)
  expect(pool.totalCount).toBe(2)
  await vi.advanceTimersByTimeAsync(100)
  await all
  // They were free again sooner than others would have been open.
  expect(pool.totalCount).toBe(2)
})

test('callers of short work share the connections that are open', async () => {
  await Promise.all([use(1), vi.advanceTimersByTimeAsync(100)])
  expect(pool.totalCount).toBe(1)
  await Promise.all([useTogether(15, 1), vi.advanceTimersByTimeAsync(100)])
  expect(pool.totalCount).toBe(1)
})

test('callers of long work get connections of their own, up to the size of the pool', async () => {
  await Promise.all([use(1), vi.advanceTimersByTimeAsync(100)])
  const all = useTogether(15, 2000)
  await vi.advanceTimersByTimeAsync(1000)
  expect(pool.totalCount).toBe(SIZE)
  expect(gradual.waitingCount).toBe(15 - SIZE)
  await vi.advanceTimersByTimeAsync(5000)
  await all
  expect(gradual.waitingCount).toBe(0)
})
