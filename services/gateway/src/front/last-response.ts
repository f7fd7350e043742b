import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { newId, REQUEST_ID_HEADER } from '@storefront/contracts'
import { PRIVATE_CACHE_CONTROL } from '@storefront/http'
import type { HttpError } from '@storefront/service'
import { errorBody } from './send-error.ts'

/** A rejected client may continue sending for this long, so that it can read the error. */
const LINGER_MS = 1000

const ending = new WeakSet<Duplex>()

/** Whether a connection has received its last response. */
export function isEnding(socket: Duplex): boolean {
  return ending.has(socket)
}

/**
 * Ends a connection after a response. Closing it while the client is still sending would lose the response, so that is
 * delayed, but only for a limited time.
 */
export function endConnection(socket: Duplex): void {
  ending.add(socket)
  socket.on('error', () => {}) // The client may already have disconnected.
  socket.end()
  socket.resume()
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

/** Sends a response on a connection without a request, and ends it. */
export function respondUnparsed(socket: Duplex, error: HttpError): void {
  if (isEnding(socket)) return
  const { status, retryAfterSeconds } = error
  const requestId = newId('request')
  const body = errorBody(error, requestId)
  socket.write(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n` +
      `content-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
      `${REQUEST_ID_HEADER}: ${requestId}\r\ncache-control: ${PRIVATE_CACHE_CONTROL}\r\nvary: Origin\r\n` +
      (retryAfterSeconds === undefined ? '' : `retry-after: ${retryAfterSeconds}\r\n`) +
      `x-content-type-options: nosniff\r\nconnection: close\r\n\r\n${body}`,
  )
  endConnection(socket)
}
