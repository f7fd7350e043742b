import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { HttpError } from '@storefront/service'
import {
  addressTooLong,
  badRequest,
  headersTooLarge,
  headTooLarge,
  methodNotAllowed,
  requestTimeout,
} from '../errors.ts'
import { isEnding, respondUnparsed } from './last-response.ts'
import { requestContextOf } from './request-context.ts'
import { rejectBody } from './slow-bodies.ts'

const METHOD_LINE = /^[A-Z]+ \//

/** The last request of a connection, until it is complete and answered. */
const underWay = new WeakMap<Duplex, { request: IncomingMessage; response: ServerResponse }>()

/** Remembers which request the next error of its connection may concern. */
export function rememberUnderWay(request: IncomingMessage, response: ServerResponse): void {
  underWay.set(request.socket, { request, response })
  response.on('close', remove)
}

function remove(this: ServerResponse): void {
  const { socket, complete } = this.req
  if (complete && underWay.get(socket)?.response === this) underWay.delete(socket)
}

/** Responds to a request that the parser rejected, if the connection still accepts a response. */
export function respondToClientError(error: Error & { code?: string }, socket: Duplex): void {
  // The parser reports an error for every further chunk of a rejected request.
  if (isEnding(socket)) return
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const last = underWay.get(socket)
  if (last && !last.request.complete) {
    rejectBody(last.request, last.response, requestContextOf(last.request), errorOf(error, socket))
  }
  // The previous response is already being sent, and the client would read the two as one.
  else if (last && (last.response.headersSent || last.response.socket === null)) socket.destroy()
  else respondUnparsed(socket, errorOf(error, socket))
}

function errorOf(error: Error & { code?: string }, socket: Duplex): HttpError {
  if (error.code === 'HPE_HEADER_OVERFLOW') return errorOfLength(error, socket)
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return requestTimeout()
  if (error.code === 'HPE_INVALID_METHOD' && METHOD_LINE.test(packetOf(error).toString('latin1', 0, 100))) {
    return methodNotAllowed()
  }
  return badRequest()
}

function errorOfLength(error: Error, socket: Duplex): HttpError {
  const packet = packetOf(error)
  const read = 'bytesParsed' in error && typeof error.bytesParsed === 'number' ? error.bytesParsed : packet.length
  const rest = packet.subarray(read).toString('latin1', 0, 6)
  if (rest === ' HTTP/') return addressTooLong()
  // A complete line was read before the limit, so the long part is a header.
  if (rest !== '' || packet.subarray(0, read).includes('\n')) return headersTooLarge()
  // When the part began in an earlier packet, it is unknown whether it is the URL or a header.
  return socket instanceof Socket && socket.bytesRead > packet.length ? headTooLarge() : addressTooLong()
}

function packetOf(error: Error): Buffer {
  return 'rawPacket' in error && Buffer.isBuffer(error.rawPacket) ? error.rawPacket : Buffer.alloc(0)
}
