import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { MAX_ADDRESS_BYTES, MAX_HEADERS_BYTES } from '@storefront/http'

/** The limit of the parser. */
export const MAX_HEAD_BYTES = MAX_ADDRESS_BYTES + MAX_HEADERS_BYTES

/** The total size of incomplete heads. */
const UNFINISHED_BYTES = 32 * 1024 * 1024
/** An ordinary head arrives in one piece; smaller ones than this are not counted. */
const ORDINARY_BYTES = 16 * 1024
const CHECK_MS = 100

interface Connection {
  /** Bytes that had arrived with the last request. */
  readBefore: number
  /** Requests whose bodies are still arriving. */
  bodies: number
}

/**
 * Limits the memory of heads that do not end: each may be long, and the parser keeps its bytes until its
 * timeout.
 * @param reject responds on a connection without a request, and ends it
 * @returns a function to call with each request, before all others
 */
export function limitUnfinishedHeads(
  server: Server,
  reject: (socket: Socket) => void,
): (request: IncomingMessage) => void {
  const connections = new Map<Socket, Connection>()
  server.on('connection', (socket) => {
    const connection: Connection = { readBefore: 0, bodies: 0 }
    connections.set(socket, connection)
    socket.once('close', () => connections.delete(socket))
  })

  function rejectLargest(): void {
    if (connections.size * MAX_HEAD_BYTES <= UNFINISHED_BYTES) return
    const unfinished: { socket: Socket; bytes: number }[] = []
    let total = 0
    for (const [socket, { readBefore, bodies }] of connections) {
      const bytes = bodies > 0 ? 0 : socket.bytesRead - readBefore
      if (bytes <= ORDINARY_BYTES) continue
      unfinished.push({ socket, bytes })
      total += bytes
    }
    if (total <= UNFINISHED_BYTES) return
    for (const { socket, bytes } of unfinished.toSorted((one, other) => other.bytes - one.bytes)) {
      if (total <= UNFINISHED_BYTES) break
      total -= bytes
      connections.delete(socket)
      reject(socket)
    }
  }
  const timer = setInterval(rejectLargest, CHECK_MS).unref()
  server.once('close', () => clearInterval(timer))

  return (request) => {
    // Read now, because a request that has ended may no longer have its socket.
    const { socket } = request
    const connection = connections.get(socket)
    if (!connection) return
    connection.readBefore = socket.bytesRead
    if (hasBody(request)) {
      connection.bodies++
      request.once('close', () => {
        connection.bodies--
        connection.readBefore = socket.bytesRead
      })
    }
  }
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
