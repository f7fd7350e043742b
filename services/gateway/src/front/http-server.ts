import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { newId, REQUEST_ID_HEADER } from '@storefront/contracts'
import { MAX_TARGET_LENGTH } from './request-target.ts'

const MAX_HEADER_BYTES = 16 * 1024
/** Whoever sends a header a byte at a time is cut off after this. */
const HEADERS_TIMEOUT_MS = 10_000
/** The whole of a request, body included: long enough for a catalogue over a slow line. */
const REQUEST_TIMEOUT_MS = 10 * 60_000
const KEEP_ALIVE_MS = 72_000

/** An HTTP server that gives nobody for ever, and answers in JSON even what it cannot parse. */
export function createHttpServer(handler: (request: IncomingMessage, response: ServerResponse) => void): Server {
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: 2000,
      // Node would answer a missing Host itself, and not in JSON.
      requireHostHeader: false,
    },
    handler,
  )
  server.on('checkExpectation', handler)
  server.on('connect', (_request, socket: Duplex) =>
    answerUnparsed(socket, 405, 'method_not_allowed', 'This cannot be done here.'),
  )
  return server
}

/** Answers what the parser refused, as far as the connection still takes an answer. */
export function answerClientError(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    if (isLongAddress(error)) answerUnparsed(socket, 414, 'uri_too_long', 'The address is too long.')
    else answerUnparsed(socket, 431, 'bad_request', 'The request is too large.')
  } else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    answerUnparsed(socket, 408, 'bad_request', 'The request took too long.')
  } else if (error.code === 'HPE_INVALID_METHOD' && /^[A-Z]+ \//.test(packetOf(error))) {
    answerUnparsed(socket, 405, 'method_not_allowed', 'This cannot be done here.')
  } else {
    answerUnparsed(socket, 400, 'bad_request', 'The request could not be understood.')
  }
}

/** Whether the parser was still reading the first line when it gave up. */
function isLongAddress(error: Error): boolean {
  const packet = packetOf(error)
  return packet !== '' && !packet.includes('\n')
}

function packetOf(error: Error): string {
  if (!('rawPacket' in error) || !Buffer.isBuffer(error.rawPacket)) return ''
  return error.rawPacket.toString('latin1', 0, MAX_TARGET_LENGTH + 20)
}

function answerUnparsed(socket: Duplex, status: number, code: string, message: string): void {
  const requestId = newId('request')
  const body = JSON.stringify({ message, code, requestId })
  socket.on('error', () => {}) // The other side may already be gone.
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n` +
      `content-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
      `${REQUEST_ID_HEADER}: ${requestId}\r\ncache-control: private, no-store\r\nvary: Origin\r\n` +
      `x-content-type-options: nosniff\r\nconnection: close\r\n\r\n${body}`,
    // A sender that goes on sending must not keep the socket.
    () => socket.destroy(),
  )
}
