import type { Pool, PoolClient } from 'pg'

/**
 * Connections that a process opens at the same time. After a failover every service needs all its connections at once, and
 * opening one costs the server more than most statements: opened together, each would be slower than the time limit after
 * which the next attempt begins, and a busy machine would never come out of it.
 */
const OPENED_AT_ONCE = 2

export interface GradualPool {
  /** Takes an idle connection, or opens one in turn. @throws Error when there is none in time */
  connect: () => Promise<PoolClient>
  /** The number of callers that wait for a connection, or for their turn to open one. */
  readonly waitingCount: number
}

/**
 * Lets few connections be opened at a time. Who waits takes what becomes free first: a new connection or a used one.
 * @param limits.waitMs how long a caller waits for its turn
 */
export function openGradually(pool: Pool, { size, waitMs }: { size: number; waitMs: number }): GradualPool {
  const queue: (() => void)[] = []
  let opening = 0
  const mustWait = (): boolean => opening >= OPENED_AT_ONCE && pool.idleCount === 0 && pool.totalCount < size
  const wakeNext = (): void => queue.shift()?.()
  pool.on('release', wakeNext)

  async function waitForTurn(untilMs: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const timer = setTimeout(() => {
      queue.splice(queue.indexOf(resolve), 1)
      reject(new Error('timeout exceeded when trying to connect'))
    }, untilMs - performance.now())
    queue.push(resolve)
    try {
      await promise
    } finally {
      clearTimeout(timer)
    }
  }

  async function connect(): Promise<PoolClient> {
    const untilMs = performance.now() + waitMs
    while (mustWait()) await waitForTurn(untilMs)
    if (pool.idleCount > 0 || pool.totalCount >= size) return pool.connect()
    opening++
    try {
      return await pool.connect()
    } finally {
      opening--
      wakeNext()
    }
  }

  return {
    connect,
    get waitingCount() {
      return pool.waitingCount + queue.length
    },
  }
}
