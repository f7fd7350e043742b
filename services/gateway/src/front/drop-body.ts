import type { IncomingMessage } from 'node:http'

/** Of a body that nobody wants so much is read all the same; whoever sends more is cut off. */
const DROPPED_BYTES = 16 * 1024 * 1024
/**
 * Of what is announced so much more is read rather than cut off. A sender whose system has taken the rest off him believes
 * that he has sent all, and that the connection is free for his next request.
 */
const UNDER_WAY_BYTES = 16 * 1024 * 1024

/**
 * Reads the rest of a body and forgets it, so that its sender comes to read the answer: to close while he still writes
 * would take the answer with it. What is left unread would be taken for the next request.
 */
export function dropBody(request: IncomingMessage): void {
  if (request.complete) return
  const announced = Number(request.headers['content-length'] ?? Infinity)
  const most = announced <= DROPPED_BYTES + UNDER_WAY_BYTES ? announced : DROPPED_BYTES
  let dropped = 0
  request.on('data', (chunk: Buffer) => {
    dropped += chunk.length
    if (dropped > most) request.socket.destroy()
  })
  request.resume()
}
