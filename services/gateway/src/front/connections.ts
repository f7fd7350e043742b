import { clientNetwork } from '@storefront/chassis'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { partyCounts } from './party-counts.ts'

/**
 * Limits the connections of one address, so that no client can use them all. Useless behind a proxy, from
 * which all of them come.
 * @param refuse responds on a connection without a request, and ends it
 */
export function boundConnections(server: Server, most: number, refuse: (socket: Socket) => void): void {
  const held = partyCounts()
  server.on('connection', (socket) => {
    const party = clientNetwork(socket.remoteAddress ?? 'unknown')
    const count = held.take(party)
    socket.once('close', () => held.release(party))
    if (count > most) refuse(socket)
  })
}
