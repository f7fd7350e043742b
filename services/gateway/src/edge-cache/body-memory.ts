import type { ServerResponse } from 'node:http'

/**
 * Counts the bodies of responses that this process holds while it reads them from a service, and until clients have read
 * them. What does not fit is forwarded as its client reads it.
 */
export class BodyMemory {
  readonly #maxBytes: number
  #bytes = 0
  readonly #sent = new Map<Buffer, { responses: number; release: () => void }>()

  /** @param maxBytes of these bodies; the store of the edge cache has its own limit */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  fits(bytes: number): boolean {
    return this.#bytes + bytes <= this.#maxBytes
  }

  /** @returns a function that releases them, the first time it is called */
  hold(bytes: number): () => void {
    this.#bytes += bytes
    return () => {
      this.#bytes -= bytes
      bytes = 0
    }
  }

  /**
   * Holds a body that was just written to a response until its client has read it, or has disconnected. Responses that
   * share a body count once: a client that reads none of a thousand hits must not use up the memory of others.
   */
  holdUntilSent(body: Buffer, response: ServerResponse): void {
    if (response.writableFinished) return
    const held = this.#sent.get(body) ?? { responses: 0, release: this.hold(body.length) }
    held.responses++
    this.#sent.set(body, held)
    response.once('close', () => {
      if (--held.responses > 0) return
      this.#sent.delete(body)
      held.release()
    })
  }
}
