/** The limits of the gateway: timeouts for clients, and numbers of concurrent requests. */
export const TIMEOUTS = {
  /** A client that sends headers byte by byte is cut off after this. */
  headMs: 10_000,
  /** An ordinary body must be complete this long after its headers. */
  bodyMs: 30_000,
  /** The longest pause between two parts of a large body. */
  bodyStallMs: 30_000,
  /**
   * A large body must be complete this long after its headers: enough for a catalog over a slow line. One without a
   * limit only has to keep arriving until it is answered.
   */
  largeBodyMs: 10 * 60_000,
  /**
   * A response that its client does not read is aborted after this. A client that reads 10 kB a second shows no
   * progress for two minutes, because the system requests more only when a third of its buffers is empty (measured:
   * 138 s).
   */
  unreadMs: 180_000,
  /** A connection without a request is kept for this long. */
  keepAliveMs: 72_000,
  /** The interval of checks for late headers. */
  checkMs: 2000,
  /** More connections than a crowd behind one address needs; fewer than it takes to exhaust a process. */
  connectionsPerAddress: 2000,
  /**
   * Requests that wait for a response, cached ones excluded. In a longer queue each would wait longer than clients do,
   * and none would finish sooner.
   */
  requestsUnderWay: 1024,
  /**
   * Those of them whose bodies are still streaming: half of the requests that one service accepts, so that slow clients
   * leave the other half free.
   */
  uploadsUnderWay: 256,
  /** The limit of streaming bodies for one client: enough for several machines that import and upload. */
  uploadsPerAddress: 32,
  /**
   * Running requests of one client, including those whose bodies are incomplete: half of all, which is enough for a
   * crowd behind one address.
   */
  requestsPerAddress: 512,
  /**
   * Bytes of public responses that are not in the store of the edge cache, while they are read from a service and until
   * their clients have read them.
   */
  bufferedBytes: 128 * 1024 * 1024,
  /**
   * When the event loop is this late, the process is overloaded: rejecting some requests is better than delaying all.
   */
  lateMs: 500,
  /** The timeout of requests that process a whole catalog. */
  slowRouteMs: 10 * 60_000,
  /** The limits of live updates for consoles. */
  updates: {
    /** Connections of this gateway, and of one user: each visible window of a console has one. */
    inAll: 1000,
    perUser: 10,
    /** A connection without updates carries a comment this often, and its session is checked. */
    heartbeatMs: 20_000,
    /** The minimum time between two messages about the same topic. */
    pauseMs: 1000,
  },
}

export type Timeouts = typeof TIMEOUTS

/**
 * @param generalLimit requests a minute of one client, 0 for no limit: then concurrent requests are not limited either
 */
export function timeoutsWith(generalLimit: number): Timeouts {
  if (generalLimit > 0) return TIMEOUTS
  return { ...TIMEOUTS, connectionsPerAddress: Infinity, uploadsPerAddress: Infinity, requestsPerAddress: Infinity }
}
