import { randomInt } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { createServer } from 'node:net'

// Below the range from which systems pick ports for outgoing connections (32768 on Linux, 49152 elsewhere): a client
// that repeatedly connects to a stopped server inside that range can get that very port as its own, and connect to
// itself.
const lowestPort = 15_000
const highestPort = 32_000

/**
 * A free port of 127.0.0.1, `preferred` if possible. No other caller of this function gets it while this process lives,
 * because several shops may be starting on one machine, and their servers listen only after seconds.
 */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && (await isPortFree(preferred)) && (await reserve(preferred))) return preferred
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const port = randomInt(lowestPort, highestPort)
    if (!reservations.has(port) && (await isPortFree(port)) && (await reserve(port))) return port
  }
  throw new Error(`no free port between ${lowestPort} and ${highestPort}`)
}

export function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)))
  })
}

const reservations = new Map<number, Socket>()

/** Reserves the port by binding the UDP port of the same number, which the system frees when the process dies. */
function reserve(port: number): Promise<boolean> {
  if (reservations.has(port)) return Promise.resolve(true)
  return new Promise((resolve) => {
    const socket = createSocket('udp4')
    socket.once('error', () => {
      socket.close()
      resolve(false)
    })
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => {
      socket.unref()
      reservations.set(port, socket)
      resolve(true)
    })
  })
}
