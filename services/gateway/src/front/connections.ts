import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { limitedParty } from './client-address.ts'

/**
 * Bounds how many connections one address holds, so that nobody takes all that there are. Of no use behind a proxy, from
 * which all of them come.
 * @param refuse answers a connection without a request, and ends it
 */
export function boundConnections(server: Server, most: number, refuse: (socket: Socket) => void): void {
  const held = new Map<string, number>()
  server.on('connection', (socket) => {
    const party = limitedParty(socket.remoteAddress ?? 'unknown')
    const count = (held.get(party) ?? 0) + 1
    held.set(party, count)
    socket.once('close', () => {
      const left = (held.get(party) ?? 1) - 1
      if (left === 0) held.delete(party)
      else held.set(party, left)
    })
    if (count > most) refuse(socket)
  })
}
