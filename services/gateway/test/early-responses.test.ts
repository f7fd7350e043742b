import { once } from 'node:events'
import { Agent, request as httpRequest, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { amount, createSuite, waitFor, type Suite } from '@storefront/tools/testing'
import {
  echo,
  json,
  portOf,
  runGateway,
  startService,
  type Handler,
  type TestGateway,
  type TestService,
} from './setup.ts'

const MIB = 1024 * 1024
/** The gateway waits for the whole body up to this Content-Length before it sends the request to the service. */
const GATHERED_BYTES = 16 * 1024
/** More than all buffers on the way of a body hold. */
const LARGEST = Buffer.alloc(amount({ quick: 5, long: 10 }) * MIB, 'x')
/** How often a connection sends a body that does not fit into the buffers on its way. */
const LARGE_ROUNDS = amount({ quick: 1, long: 2 })

let suite: Suite
let catalog: TestService
let gateway: TestGateway

beforeAll(async () => {
  suite = await createSuite()
  catalog = await startService(echo)
  gateway = await runGateway(suite, { catalog: catalog.url }, { UPSTREAM_TIMEOUT_MS: '60000' })
})

afterAll(async () => {
  await gateway.stop()
  await catalog.stop()
  await suite.stop()
})

interface Sent {
  method: string
  path: string
  body?: Buffer
  /** Sends the second half of the body after the response has begun. */
  halves?: boolean
  /** Sends a Content-Length. */
  announced?: boolean
}

/** Sends requests one after another over one connection. */
function openConnection() {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const sockets = new Set<unknown>()
  return {
    sockets,
    send: ({ method, path, body, halves = false, announced = false }: Sent): Promise<number> =>
      new Promise((resolve, reject) => {
        const request = httpRequest(gateway.url + path, { agent, method, timeout: 60_000 }, (response) => {
          if (body && halves) request.end(body.subarray(body.length / 2))
          response.on('end', () => resolve(response.statusCode ?? 0)).on('error', reject)
          response.resume()
        })
        request.on('socket', (socket) => sockets.add(socket))
        request.on('timeout', () => request.destroy(new Error('no response')))
        request.on('error', reject)
        if (body) request.setHeader('content-type', 'text/csv')
        if (body && announced) request.setHeader('content-length', body.length)
        else if (body) request.setHeader('transfer-encoding', 'chunked')
        if (body && halves) request.write(body.subarray(0, body.length / 2))
        else request.end(body)
      }),
    close: () => agent.destroy(),
  }
}

function reject(response: ServerResponse): void {
  json(response, 422, { message: 'no' })
}

/** How a service may treat a body that it does not want. */
const UNWANTED: Record<string, Handler> = {
  'never reads it': (_request, response) => reject(response),
  'reads and discards it': (request, response) => {
    request.resume()
    reject(response)
  },
  'waits for a moment before it discards it': (_request, response) => void setTimeout(() => reject(response), 50),
  'reads some of it first': (request, response) => {
    request.once('data', () => {
      request.pause()
      reject(response)
      response.once('finish', () => request.resume())
    })
  },
}

describe.each(Object.keys(UNWANTED))('a service that responds before the body has arrived, and %s', (how) => {
  // Some of the larger bodies end exactly when all buffers on their way are full.
  const steps = amount({ quick: 2, long: 24 })
  const between = Array.from({ length: steps }, (_, step) => 2 * MIB + (step * 24 * 64 * 1024) / steps)
  const sizes = [100, 20_000, 70_000, ...between, LARGEST.length]

  test.each([
    { halves: false, announced: true },
    { halves: false, announced: false },
    { halves: true, announced: true },
    { halves: true, announced: false },
  ])('leaves the connection to the next request: halves: $halves, announced: $announced', async (sent) => {
    const useOneConnection = async (bytes: number) => {
      const connection = openConnection()
      const body = LARGEST.subarray(0, bytes)
      for (let round = 0; round < (bytes > MIB ? LARGE_ROUNDS : 2); round++) {
        expect(await connection.send({ method: 'POST', path: '/admin/import', body, ...sent })).toBe(422)
        expect(await connection.send({ method: 'GET', path: '/categories' })).toBe(200)
      }
      expect(connection.sockets.size).toBe(1)
      connection.close()
    }
    const rejecting = UNWANTED[how] ?? echo
    catalog.respond = (request, response) => (request.method === 'POST' ? rejecting : echo)(request, response)
    const respondedEarly = sizes.filter((bytes) => !sent.announced || !sent.halves || bytes > GATHERED_BYTES)
    await Promise.all(respondedEarly.map(useOneConnection))
  })
})

describe.each(['GET', 'HEAD'])('a body in a %s request', (method) => {
  test.each([{ announced: true }, { announced: false }])(
    'is discarded, and the connection serves the next request: announced: $announced',
    async ({ announced }) => {
      catalog.respond = echo
      const connection = openConnection()
      for (const bytes of [10, 20_000, 300_000, 900_000]) {
        const body = Buffer.alloc(bytes, 'x')
        expect(await connection.send({ method, path: '/categories', body, announced })).toBe(200)
        expect(await connection.send({ method: 'GET', path: '/categories' })).toBe(200)
      }
      expect(connection.sockets.size).toBe(1)
      connection.close()
    },
  )
})

describe.each(['GET', 'HEAD', 'POST', 'DELETE'])('a client that disconnects in the body of a %s', (method) => {
  test.each(['content-length: 100000', 'transfer-encoding: chunked'])('affects no other: %s', async (framing) => {
    let arrived = 0
    catalog.respond = (request, response) => {
      arrived++
      setTimeout(() => echo(request, response), 50)
    }
    const socket = connect(portOf(gateway.app.server.address()), '127.0.0.1').on('error', () => {})
    const body = framing.startsWith('transfer') ? '5\r\nhello\r\n' : 'hello'
    socket.write(`${method} /admin/products HTTP/1.1\r\nhost: x\r\n${framing}\r\n\r\n${body}`)
    await waitFor('the service to receive the request', () => arrived > 0)
    socket.destroy()
    await once(socket, 'close')
    catalog.respond = echo
    const connection = openConnection()
    expect(await connection.send({ method: 'GET', path: '/categories' })).toBe(200)
    connection.close()
  })
})
