/** What the gateway bears: how long with a client, and how many at once. */
export interface Patience {
  /** Whoever sends a head a byte at a time is cut off after this. */
  headMs: number
  /** An ordinary body is complete so long after its head. */
  bodyMs: number
  /** Of a large body something comes in every such while. */
  bodyStallMs: number
  /**
   * A large body is complete so long after its head: enough for a catalogue over a slow line. One without a limit only has
   * to go on, until it is answered.
   */
  largeBodyMs: number
  /**
   * An answer that its client does not read is given up after this. Who reads 10 kB a second out of buffers of megabytes
   * shows no progress for two minutes: the system asks for more when a third of them is empty (measured: 138 s).
   */
  unreadMs: number
  /** A connection without a request is kept for so long. */
  keepAliveMs: number
  /** How often heads are looked after. */
  checkMs: number
  /** More connections than a crowd behind one address needs; fewer than it takes to use up a process. */
  connectionsPerAddress: number
  /**
   * Requests on their way to an answer, cached ones aside. In a longer queue each would wait longer than anybody does, and
   * none would be answered sooner.
   */
  requestsUnderWay: number
  /**
   * Of these so many whose bodies stream, until they are there. Half of what one service takes: whoever sends them slowly
   * leaves it the other half.
   */
  uploadsUnderWay: number
  /** Of these so many of one party: several machines that import and upload, and not all there is room for. */
  uploadsPerAddress: number
  /** Requests of one party whose bodies are awaited or that are on their way: enough for a crowd behind one address, and half
   * of all there is room for. */
  requestsPerAddress: number
  /** When the process answers this late it has more work than it can do: better some are told so than all wait. */
  lateMs: number
  /** What works through a whole catalogue may keep its caller waiting for so long. */
  slowRouteMs: number
}

export const PATIENCE: Patience = {
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
  lateMs: 500,
  slowRouteMs: 10 * 60_000,
}

/** @param generalLimit requests a minute of one party, 0 for any number: whoever wants no limit gets none at once either */
export function patienceWith(generalLimit: number): Patience {
  if (generalLimit > 0) return PATIENCE
  return { ...PATIENCE, connectionsPerAddress: Infinity, uploadsPerAddress: Infinity, requestsPerAddress: Infinity }
}
