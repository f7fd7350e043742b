import type { ServerResponse } from 'node:http'

/**
 * Counts the bodies of responses that this process holds while it reads them from a service, and until clients have read
 * them. What has no room is passed on as its client reads it.
 */
export class BodyMemory {
  readonly #maxBytes: number
  #bytes = 0

  /** @param maxBytes of these bodies; the store of the edge cache has its own limit */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  hasRoom(bytes: number): boolean {
    return this.#bytes + bytes <= this.#maxBytes
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
