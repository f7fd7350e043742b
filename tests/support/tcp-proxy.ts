import { once } from 'node:events'
import { createServer, connect, type Socket } from 'node:net'

export interface TcpProxy {
  /** Where to connect instead. */
  port: number
  /** Where connections lead; to be called before the first one. */
  aim(host: string, port: number): void
  /** Breaks every connection and takes no new one. */
  cut(): void
  /** Lets no byte through in either direction, and breaks nothing: a network that swallows. */
  hang(): void
  /** Everything works again; what was swallowed goes on. */
  repair(): void
  close(): Promise<void>
}

type State = 'open' | 'cut' | 'hanging'

/** A wire between a client and a server that a test can pull out. */
export async function openTcpProxy(): Promise<TcpProxy> {
  let state: State = 'open'
  let target: { host: string; port: number } | undefined
  const pairs = new Set<[Socket, Socket]>()

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
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('data', (bytes) => {
        if (!to.write(bytes)) from.pause()
      })
      to.on('drain', () => {
        if (state !== 'hanging') from.resume()
      })
      from.on('close', () => {
        pairs.delete(pair)
        to.destroy()
      })
    }
    if (state === 'hanging') for (const socket of pair) socket.pause()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a proxy listens on a port')

  function breakAll(): void {
    for (const [client, upstream] of pairs) {
      client.resetAndDestroy()
      upstream.resetAndDestroy()
    }
  }

  return {
    port: address.port,
    aim(host, port) {
      target = { host, port }
    },
    cut() {
      state = 'cut'
      breakAll()
    },
    hang() {
      state = 'hanging'
      for (const pair of pairs) for (const socket of pair) socket.pause()
    },
    repair() {
      state = 'open'
      for (const pair of pairs) for (const socket of pair) socket.resume()
    },
    async close() {
      breakAll()
      server.close()
      await once(server, 'close')
    },
  }
}
