import { clientNetwork } from '@storefront/http'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { clientCounts } from './client-counts.ts'

/**
 * Limits the connections of one address, so that no client can use them all. Useless behind a proxy, which opens all
 * connections.
 * @param reject responds on a connection without a request, and ends it
 */
export function limitConnections(server: Server, max: number, reject: (socket: Socket) => void): void {
  const held = clientCounts()
  server.on('connection', (socket) => {
    const client = clientNetwork(socket.remoteAddress ?? 'unknown')
    const count = held.take(client)
    socket.once('close', () => held.release(client))
    if (count > max) reject(socket)
  })
}
