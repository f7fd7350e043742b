import { createServer } from 'node:net'
import { randomInt } from 'node:crypto'

// Below the range from which systems pick ports for outgoing connections (32768 on Linux, 49152 elsewhere): a client that
// keeps dialling a stopped server inside that range can be given the very port it dials, and then talks to itself.
const lowestPort = 15_000
const highestPort = 32_000

/** Answers a port of 127.0.0.1 that was free a moment ago, `preferred` if possible. */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && (await isPortFree(preferred))) return preferred
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const port = randomInt(lowestPort, highestPort)
    if (await isPortFree(port)) return port
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
