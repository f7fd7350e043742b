import type { IncomingMessage } from 'node:http'
import { hasBody } from './unfinished-heads.ts'

/** This much of an unwanted body is still read; a longer body is cut off. */
const DROPPED_BYTES = 16 * 1024 * 1024
/**
 * When no more than this remains of the announced length, it is read, too. A client whose system has already accepted
 * the remaining bytes assumes that everything was sent, and that the connection is free for the next request.
 */
const UNDER_WAY_BYTES = 16 * 1024 * 1024

/**
 * Reads and discards the remaining body, so that the client can read the response: closing the connection while the
 * client still sends would lose it. Unread bytes would be parsed as the next request.
 */
export function dropBody(request: IncomingMessage): void {
  if (request.complete || !hasBody(request)) return
  const announced = Number(request.headers['content-length'] ?? Infinity)
  const maxBytes = announced <= DROPPED_BYTES + UNDER_WAY_BYTES ? announced : DROPPED_BYTES
  let dropped = 0
  request.on('data', (chunk: Buffer) => {
    dropped += chunk.length
    if (dropped > maxBytes) request.socket.destroy()
  })
  request.resume()
}
