import type { IncomingMessage } from 'node:http'
import { Transform, type Readable } from 'node:stream'
import { dropBody } from '../front/drop-body.ts'
import { bodyTooLarge } from '../errors.ts'

/**
 * The body of a streaming request for the proxy library, which destroys it when the service responds before its end.
 * Destroying the request itself would stop the reading of its connection, with the remaining body and the next request;
 * so the body goes through a separate stream.
 * @param limit in bytes, for a body of unknown length
 */
export function forwardedBody(request: IncomingMessage, payload: Readable, limit: number): Readable {
  let received = 0
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length
      if (received > limit) done(bodyTooLarge())
      else done(null, chunk)
    },
  })
  payload.on('error', (error) => body.destroy(error))
  // The library listens to this; an error without a listener, when the client disconnects, must not end the process.
  body.on('error', () => {})
  payload.pipe(body)
  // After the pipe has detached from the request, which pauses it.
  body.once('close', () => dropBody(request))
  return body
}
