/**
 * Connections that a process opens at the same time. After a failover every service needs all its connections at once,
 * and opening one costs the server more than most statements: opened together, each would take longer than any caller
 * waits, and a busy machine would never recover.
 */
const OPENED_AT_ONCE = 2
/**
 * How long a caller waits for a connection that others use before one is opened for it, in milliseconds. Most
 * statements are shorter, and an opened connection costs the server tens of them.
 */
const BEFORE_ANOTHER_MS = 20

/** The time after which a connection that is still not open is given up, in milliseconds. */
export const OPENING_MS = 10_000

/** The part of a pool of `pg` that is used here. */
interface Connections<Client> {
  readonly totalCount: number
  readonly idleCount: number
  connect(): Promise<Client>
  on(event: 'release', listener: () => void): unknown
}

interface Waiter<Client> {
  sinceMs: number
  resolve: (client: Client) => void
  reject: (error: unknown) => void
}

/**
 * Takes connections from a pool, and opens no more of them than are needed, few at a time. The caller that waits
 * longest takes what becomes free first: a new connection or a used one. An attempt to connect continues after its
 * caller has given up: on a busy server, its work would be wasted and begin again.
 */
export class GradualPool<Client extends { release(): void }> {
  readonly #pool: Connections<Client>
  readonly #size: number
  readonly #waitMs: number
  readonly #waiting: Waiter<Client>[] = []
  /** Attempts to open a connection that are younger than the time for which a caller waits. */
  #opening = 0
  /** Idle connections that the pool is about to give away. */
  #taking = 0
  /** When the first of the connections that are open was opened: until then there was none to wait for. */
  #openSinceMs = 0
  /** Whether a timer will look again for callers that have waited long enough. */
  #looksAgain = false

  /**
   * @param pool gives up connections after `OPENING_MS`
   * @param limits.size the most connections
   * @param limits.waitMs how long a caller waits
   */
  constructor(pool: Connections<Client>, { size, waitMs }: { size: number; waitMs: number }) {
    this.#pool = pool
    this.#size = size
    this.#waitMs = waitMs
    // The pool has the connection in its list a moment after this event.
    pool.on('release', () => queueMicrotask(() => this.#serve()))
  }

  /** The number of callers that wait for a connection. */
  get waitingCount(): number {
    return this.#waiting.length
  }

  /** Takes an idle connection, or one that is opened for it. @throws Error when there is none in time */
  connect(): Promise<Client> {
    return this.#waiting.length === 0 && this.#hasIdle() ? this.#takeIdle() : this.#waitInQueue()
  }

  #waitInQueue(): Promise<Client> {
    const { promise, resolve, reject } = Promise.withResolvers<Client>()
    let isOver = false
    const end = (): void => {
      isOver = true
      clearTimeout(timer)
    }
    const waiter: Waiter<Client> = {
      sinceMs: performance.now(),
      resolve: (client) => {
        if (isOver) return client.release()
        end()
        resolve(client)
      },
      reject: (error) => {
        end()
        reject(error)
      },
    }
    const timer = setTimeout(() => {
      const place = this.#waiting.indexOf(waiter)
      if (place >= 0) this.#waiting.splice(place, 1)
      waiter.reject(new Error('timeout exceeded when trying to connect'))
    }, this.#waitMs)
    this.#waiting.push(waiter)
    this.#serve()
    return promise
  }

  /** Gives idle connections to the callers that wait longest, and opens connections for the others. */
  #serve(): void {
    while (this.#hasIdle()) {
      const waiter = this.#waiting.shift()
      if (!waiter) return
      this.#takeIdle().then(waiter.resolve, waiter.reject)
    }
    while (this.#opening < OPENED_AT_ONCE && this.#pool.totalCount < this.#size) {
      // Those before it are served by the connections that are being opened.
      const next = this.#waiting[this.#opening]
      if (!next) return
      const since = Math.max(next.sinceMs, this.#openSinceMs)
      const leftMs = this.#hasOpen() ? since + BEFORE_ANOTHER_MS - performance.now() : 0
      if (leftMs > 0) return this.#serveAfter(leftMs)
      this.#open()
    }
  }

  #serveAfter(ms: number): void {
    if (this.#looksAgain) return
    this.#looksAgain = true
    setTimeout(() => {
      this.#looksAgain = false
      this.#serve()
    }, ms)
  }

  #hasOpen(): boolean {
    return this.#pool.totalCount > this.#opening
  }

  #hasIdle(): boolean {
    return this.#pool.idleCount > this.#taking
  }

  async #takeIdle(): Promise<Client> {
    this.#taking++
    try {
      return await this.#pool.connect()
    } finally {
      this.#taking--
      this.#serve()
    }
  }

  #open(): void {
    this.#opening++
    let isCounted = true
    const stopCounting = (): void => {
      if (isCounted) this.#opening--
      isCounted = false
      this.#serve()
    }
    // A server that does not reply must not keep others from trying: its address may lead to another one by now.
    const timer = setTimeout(stopCounting, this.#waitMs)
    void this.#pool
      .connect()
      .then(
        (client) => {
          if (!this.#hasOpen()) this.#openSinceMs = performance.now()
          client.release()
        },
        (error: unknown) => {
          // An attempt that is no longer counted began too long ago to fail a caller that waits now.
          if (isCounted) this.#waiting.shift()?.reject(error)
        },
      )
      .finally(() => {
        clearTimeout(timer)
        stopCounting()
      })
  }
}
