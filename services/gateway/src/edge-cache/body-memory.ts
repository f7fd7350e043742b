import type { ServerResponse } from 'node:http'

/**
 * Counts the bodies of responses that this process holds while it reads them from a service, and until clients have read
 * them. What has no room is passed on as its client reads it.
 */
export class BodyMemory {
  readonly #most: number
  #bytes = 0

  /** @param most bytes; the store of the edge cache has its own limit */
  constructor(most: number) {
    this.#most = most
  }

  hasRoom(bytes: number): boolean {
    return this.#bytes + bytes <= this.#most
  }

  /** @returns releases them, once */
  hold(bytes: number): () => void {
    this.#bytes += bytes
    return () => {
      this.#bytes -= bytes
      bytes = 0
    }
  }

  /** Holds a body that was just written to a response until its client has read it, or has left. */
  holdUntilSent(bytes: number, response: ServerResponse): void {
    if (!response.writableFinished) response.once('close', this.hold(bytes))
  }
}
