/** The limits of the gateway: timeouts for clients, and numbers of concurrent requests. */
export interface Timeouts {
  /** A client that sends headers byte by byte is cut off after this. */
  headMs: number
  /** An ordinary body must be complete this long after its headers. */
  bodyMs: number
  /** The longest pause between two parts of a large body. */
  bodyStallMs: number
  /**
   * A large body must be complete this long after its headers: enough for a catalog over a slow line. One without a
   * limit only has to keep arriving until it is answered.
   */
  largeBodyMs: number
  /**
   * A response that its client does not read is given up after this. A client that reads 10 kB a second from buffers
   * of megabytes shows no progress for two minutes: the system requests more when a third of them is empty (measured:
   * 138 s).
   */
  unreadMs: number
  /** A connection without a request is kept for this long. */
  keepAliveMs: number
  /** The interval of checks for late headers. */
  checkMs: number
  /** More connections than a crowd behind one address needs; fewer than it takes to exhaust a process. */
  connectionsPerAddress: number
  /**
   * Requests that wait for a response, cached ones excluded. In a longer queue each would wait longer than any client
   * does, and none would finish sooner.
   */
  requestsUnderWay: number
  /**
   * The part of these whose bodies are still streaming. Half of what one service accepts: slow clients leave it the
   * other half.
   */
  uploadsUnderWay: number
  /** The part of these for one client: several machines that import and upload, but not the whole room. */
  uploadsPerAddress: number
  /**
   * Running requests of one client, including those whose bodies are incomplete: enough for a crowd behind one address,
   * and half of the whole room.
   */
  requestsPerAddress: number
  /**
   * Bytes of public responses that are not in the store of the edge cache, while they are read from a service and until
   * their clients have read them.
   */
  bufferedBytes: number
  /**
   * When the event loop is this late, the process is overloaded: rejecting some requests is better than delaying all.
   */
  lateMs: number
  /** The timeout of requests that process a whole catalog. */
  slowRouteMs: number
  /** The limits of live updates for consoles. */
  updates: {
    /** Connections of this gateway, and of one user: each visible window of a console has one. */
    inAll: number
    perUser: number
    /** A connection without updates carries a comment this often, and its session is checked. */
    heartbeatMs: number
    /** The minimum time between two messages about the same topic. */
    pauseMs: number
  }
}

export const TIMEOUTS: Timeouts = {
  headMs: 10_000,
  bodyMs: 30_000,
  bodyStallMs: 30_000,
  largeBodyMs: 10 * 60_000,
  unreadMs: 180_000,
  keepAliveMs: 72_000,
  checkMs: 2000,
  connectionsPerAddress: 2000,
  requestsUnderWay: 1024,
  uploadsUnderWay: 256,
  uploadsPerAddress: 32,
  requestsPerAddress: 512,
  bufferedBytes: 128 * 1024 * 1024,
  lateMs: 500,
  slowRouteMs: 10 * 60_000,
  updates: { inAll: 1000, perUser: 10, heartbeatMs: 20_000, pauseMs: 1000 },
}

/**
 * @param generalLimit requests a minute of one client, 0 for no limit: then concurrent requests are not limited either
 */
export function timeoutsWith(generalLimit: number): Timeouts {
  if (generalLimit > 0) return TIMEOUTS
  return { ...TIMEOUTS, connectionsPerAddress: Infinity, uploadsPerAddress: Infinity, requestsPerAddress: Infinity }
}
