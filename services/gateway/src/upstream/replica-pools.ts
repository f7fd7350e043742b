import { errors, Pool } from 'undici'

/** A separate connection pool for each replica. */
export class ReplicaPools {
  readonly #options: Pool.Options
  readonly #pools = new Map<string, Pool>()

  constructor(options: Pool.Options) {
    this.#options = options
  }

  of(origin: string): Pool {
    const known = this.#pools.get(origin)
    if (known) return known
    const pool = new Pool(origin, this.#options)
    this.#pools.set(origin, pool)
    return pool
  }

  /** Closes all connections to a replica whose machine does not respond, which aborts the requests on them. */
  breakOff(origin: string): void {
    const pool = this.#pools.get(origin)
    this.#pools.delete(origin)
    pool?.destroy(new errors.SocketError('the replica does not respond')).catch(() => {})
  }

  /** Closes the connections to an address that is no longer used, after the responses that are under way. */
  remove(origin: string): void {
    const pool = this.#pools.get(origin)
    this.#pools.delete(origin)
    pool?.close().catch(() => {})
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.destroy()))
  }
}
