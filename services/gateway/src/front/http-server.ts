import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { HttpError } from '@storefront/service'
import {
  addressTooLong,
  badRequest,
  headersTooLarge,
  headTooLarge,
  methodNotAllowed,
  overloaded,
  requestTimeout,
  tooMany,
} from '../errors.ts'
import { limitConnections } from './connections.ts'
import { respondUnparsed, isEnding } from './last-response.ts'
import type { Timeouts } from './timeouts.ts'
import { rejectBody } from './slow-bodies.ts'
import { limitUnfinishedHeads, MAX_HEAD_BYTES } from './unfinished-heads.ts'
import { knownRequestContextOf } from './request-context.ts'

const METHOD_LINE = /^[A-Z]+ \//
/**
 * Each part that holds something for a request releases it when the response closes. More listeners than this are a
 * leak.
 */
const MOST_LISTENERS = 20

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/**
 * An HTTP server with timeouts for every stage, which responds in JSON even to requests that it cannot parse.
 * @param trustedProxies how many proxies are in front, 0 for none
 */
export function createHttpServer(handler: Handler, timeouts: Timeouts, trustedProxies: number): Server {
  const server = createServer({
    // The front door reports which of both is too large; this is the limit of the parser.
    maxHeaderSize: MAX_HEAD_BYTES,
    headersTimeout: timeouts.headMs,
    // A limit here would abort long imports. Bodies that stop arriving are handled in slow-bodies.ts.
    requestTimeout: 0,
    keepAliveTimeout: timeouts.keepAliveMs,
    connectionsCheckingInterval: timeouts.checkMs,
    // Node would respond to a missing Host itself, and not in JSON.
    requireHostHeader: false,
  })
  server.timeout = timeouts.unreadMs
  const rejectAtOnce = (socket: Socket, error: HttpError) => {
    respondUnparsed(socket, error)
    // At once, because what is held for it must be released.
    socket.destroySoon()
  }
  if (trustedProxies === 0) {
    limitConnections(server, timeouts.connectionsPerAddress, (socket) => rejectAtOnce(socket, tooMany(1)))
  }
  const headIsComplete = limitUnfinishedHeads(server, (socket) => rejectAtOnce(socket, overloaded()))
  const receive: Handler = (request, response) => {
    headIsComplete(request)
    // The connection was already answered while the request was on its way.
    if (isEnding(request.socket)) return
    underWay.set(request.socket, { request, response })
    response.setMaxListeners(MOST_LISTENERS)
    response.on('timeout', giveUpUnread).on('close', remove)
    handler(request, response)
  }
  server.on('request', receive)
  server.on('checkExpectation', receive)
  server.on('connect', (_request, socket: Duplex) => respondUnparsed(socket, methodNotAllowed()))
  return server
}

/** The last request of a connection, until it is complete and answered. */
const underWay = new WeakMap<Duplex, { request: IncomingMessage; response: ServerResponse }>()

function remove(this: ServerResponse): void {
  const { socket, complete } = this.req
  if (complete && underWay.get(socket)?.response === this) underWay.delete(socket)
}

/** The connection was idle for a while. If there is a response to read, that is the client's failure. */
function giveUpUnread(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy()
}

/** Responds to a request that the parser rejected, if the connection still accepts a response. */
export function respondToClientError(error: Error & { code?: string }, socket: Duplex): void {
  // Further bytes of the rejected request: the parser reports every piece of it.
  if (isEnding(socket)) return
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const last = underWay.get(socket)
  if (last && !last.request.complete) {
    rejectBody(last.request, last.response, knownRequestContextOf(last.request), errorOf(error, socket))
  }
  // It arrived after a request whose response is already on its way: the two would be read as one.
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
  // After the end of a line the next one became too long, and only headers end like this.
  if (rest !== '' || packet.subarray(0, read).includes('\n')) return headersTooLarge()
  // In the middle of a part that began in an earlier packet, its kind is unknown.
  return socket instanceof Socket && socket.bytesRead > packet.length ? headTooLarge() : addressTooLong()
}

function packetOf(error: Error): Buffer {
  return 'rawPacket' in error && Buffer.isBuffer(error.rawPacket) ? error.rawPacket : Buffer.alloc(0)
}
