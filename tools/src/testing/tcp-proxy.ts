import { once } from 'node:events'
import { createServer, connect, type Socket } from 'node:net'

export type TcpProxy = Awaited<ReturnType<typeof openTcpProxy>>

type State = 'open' | 'cut' | 'hanging'

/** A proxy between a client and a server whose connections a test can break. */
export async function openTcpProxy() {
  let state: State = 'open'
  let target: { host: string; port: number } | undefined
  const pairs = new Set<[Socket, Socket]>()
  let total = 0

  const server = createServer((client) => {
    client.on('error', () => {})
    if (state === 'cut' || !target) {
      client.resetAndDestroy()
      return
    }
    const upstream = connect(target)
    upstream.on('error', () => {})
    const pair: [Socket, Socket] = [client, upstream]
    pairs.add(pair)
    total++
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('close', () => pairs.delete(pair))
      passBytes(from, to, () => state === 'hanging')
    }
    if (state === 'hanging') for (const socket of pair) socket.pause()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const bound = server.address()
  if (bound === null || typeof bound === 'string') throw new Error('a proxy listens on a port')

  return {
    /** The port to which clients connect instead. */
    port: bound.port,
    /** Sets the server of connections, before the first one. @returns its address through the proxy */
    through(address: string) {
      const url = new URL(address)
      target = { host: url.hostname, port: Number(url.port) }
      url.hostname = '127.0.0.1'
      url.port = String(bound.port)
      return url.href
    },
    /** Breaks every connection and accepts no new one. */
    cut() {
      state = 'cut'
      breakAll(pairs)
    },
    connections: () => pairs.size,
    /** The number of connections of clients since the start. */
    total: () => total,
    /** Passes no byte in either direction and breaks no connection, like a network that drops packets. */
    hang() {
      state = 'hanging'
      for (const pair of pairs) for (const socket of pair) socket.pause()
    },
    /** Ends the fault; bytes that were held back are passed on. */
    repair() {
      state = 'open'
      for (const pair of pairs) for (const socket of pair) socket.resume()
    },
    async close() {
      breakAll(pairs)
      server.close()
      await once(server, 'close')
    },
  }
}

function passBytes(from: Socket, to: Socket, isHeldBack: () => boolean): void {
  from.on('data', (bytes) => {
    if (!to.write(bytes)) from.pause()
  })
  to.on('drain', () => {
    if (!isHeldBack()) from.resume()
  })
  from.on('close', () => to.destroy())
}

function breakAll(pairs: Iterable<[Socket, Socket]>): void {
  for (const [client, upstream] of pairs) {
    client.resetAndDestroy()
    upstream.resetAndDestroy()
  }
}
