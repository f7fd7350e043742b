import type { IncomingMessage } from 'node:http'

/** Of a body that nobody wants so much is read all the same; whoever sends more is cut off. */
const DROPPED_BYTES = 16 * 1024 * 1024

/**
 * Reads the rest of a body and forgets it, so that its sender comes to read the answer: to close while he still writes
 * would take the answer with it. What is left unread would be taken for the next request.
 */
export function dropBody(request: IncomingMessage): void {
  if (request.complete) return
  let dropped = 0
  request.on('data', (chunk: Buffer) => {
    dropped += chunk.length
    if (dropped > DROPPED_BYTES) request.socket.destroy()
  })
  request.resume()
}
