import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { newId, REQUEST_ID_HEADER } from '@storefront/contracts'
import type { Refusal } from '@storefront/chassis'
import {
  addressTooLong,
  badRequest,
  headersTooLarge,
  headTooLarge,
  methodNotAllowed,
  overloaded,
  requestTimeout,
} from '../refusals.ts'
import { refusalBody } from './answer.ts'
import { boundUnfinishedHeads, MAX_HEAD_BYTES } from './unfinished-heads.ts'

/** Whoever sends a header a byte at a time is cut off after this. */
const HEADERS_TIMEOUT_MS = 10_000
/** The whole of a request, body included: long enough for a catalogue over a slow line. */
const REQUEST_TIMEOUT_MS = 10 * 60_000
const KEEP_ALIVE_MS = 72_000
/** Whoever was refused may go on sending for so long, and comes to read why. */
const LINGER_MS = 1000

const METHOD_LINE = /^[A-Z]+ \//

/** An HTTP server that gives nobody for ever, and answers in JSON even what it cannot parse. */
export function createHttpServer(handler: (request: IncomingMessage, response: ServerResponse) => void): Server {
  const server = createServer({
    // The front door says which of both is too large; here is where reading ends.
    maxHeaderSize: MAX_HEAD_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: 2000,
    // Node would answer a missing Host itself, and not in JSON.
    requireHostHeader: false,
  })
  const headIsComplete = boundUnfinishedHeads(server, (socket) => {
    answerUnparsed(socket, overloaded())
    // At once, because what the parser keeps for it is to be given back.
    socket.destroySoon()
  })
  const receive = (request: IncomingMessage, response: ServerResponse) => {
    headIsComplete(request)
    // Its connection has been answered while it was on its way.
    if (!refused.has(request.socket)) handler(request, response)
  }
  server.on('request', receive)
  server.on('checkExpectation', receive)
  server.on('connect', (_request, socket: Duplex) => answerUnparsed(socket, methodNotAllowed()))
  return server
}

/** Answers what the parser refused, as far as the connection still takes an answer. */
export function answerClientError(error: Error & { code?: string }, socket: Duplex): void {
  // The rest of what was refused: the parser reports every piece of it.
  if (refused.has(socket)) return
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  answerUnparsed(socket, refusalOf(error, socket))
}

function refusalOf(error: Error & { code?: string }, socket: Duplex): Refusal {
  if (error.code === 'HPE_HEADER_OVERFLOW') return refusalOfLength(error, socket)
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return requestTimeout()
  if (error.code === 'HPE_INVALID_METHOD' && METHOD_LINE.test(packetOf(error).toString('latin1', 0, 100))) {
    return methodNotAllowed()
  }
  return badRequest()
}

function refusalOfLength(error: Error, socket: Duplex): Refusal {
  const packet = packetOf(error)
  const read = 'bytesParsed' in error && typeof error.bytesParsed === 'number' ? error.bytesParsed : packet.length
  const rest = packet.subarray(read).toString('latin1', 0, 6)
  if (rest === ' HTTP/') return addressTooLong()
  // After the end of a line it was the next one that became too long, and whatever ends like this is a header.
  if (rest !== '' || packet.subarray(0, read).includes('\n')) return headersTooLarge()
  // In the middle of something that began in an earlier packet nobody can say what it was.
  return socket instanceof Socket && socket.bytesRead > packet.length ? headTooLarge() : addressTooLong()
}

function packetOf(error: Error): Buffer {
  return 'rawPacket' in error && Buffer.isBuffer(error.rawPacket) ? error.rawPacket : Buffer.alloc(0)
}

const refused = new WeakSet<Duplex>()

function answerUnparsed(socket: Duplex, refusal: Refusal): void {
  if (refused.has(socket)) return
  const { status, retryAfterSeconds } = refusal
  const requestId = newId('request')
  const body = refusalBody(refusal, requestId)
  refused.add(socket)
  socket.on('error', () => {}) // The other side may already be gone.
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n` +
      `content-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
      `${REQUEST_ID_HEADER}: ${requestId}\r\ncache-control: private, no-store\r\nvary: Origin\r\n` +
      (retryAfterSeconds === undefined ? '' : `retry-after: ${retryAfterSeconds}\r\n`) +
      `x-content-type-options: nosniff\r\nconnection: close\r\n\r\n${body}`,
  )
  // To close while somebody still writes would take the answer with it; but nobody keeps the socket by writing on.
  socket.resume()
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}
