import type { IncomingMessage } from 'node:http'
import { Transform, type Readable } from 'node:stream'
import { dropBody } from '../front/drop-body.ts'
import { bodyTooLarge } from '../refusals.ts'

/**
 * What the proxy library is given to send as the body of a request that streams. It destroys what it does not need to its
 * end: when the service has answered before. Of the request itself that would stop the reading of its connection for good,
 * with the rest of the body and the next request on it; so the body goes through a stream of its own.
 * @param limit bytes, for a body whose length nobody knows before its end
 */
export function passedBody(request: IncomingMessage, payload: Readable, limit: number): Readable {
  let received = 0
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length
      if (received > limit) done(bodyTooLarge())
      else done(null, chunk)
    },
  })
  payload.on('error', (error) => body.destroy(error))
  // Whoever sends it on listens to this; a sender who goes away while nobody does must not end the process.
  body.on('error', () => {})
  payload.pipe(body)
  // After the pipe has let go of the request, which pauses it.
  body.once('close', () => dropBody(request))
  return body
}
