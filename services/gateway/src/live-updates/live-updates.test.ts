import { createServer, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitFor } from '@storefront/service/testing'
import { openLiveUpdates, type LiveUpdates } from './live-updates.ts'

/** More than the system buffers for a client that does not read. */
const UNREAD = Buffer.alloc(32 * 1024 * 1024)

const open: ServerResponse[] = []
const server = createServer((request, response) => {
  response.writeHead(200)
  if (request.url === '/slow') response.write(UNREAD)
  open.push(response)
})
let updates: LiveUpdates
let url: string

beforeAll(async () => {
  const limits = { inAll: 10, perUser: 10, heartbeatMs: 60_000, pauseMs: 1 }
  updates = openLiveUpdates(pino({ level: 'silent' }), limits)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a server listens on a port')
  url = `http://127.0.0.1:${address.port}`
})
afterAll(async () => {
  await updates.stop()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const reader = {
  userId: 'user_1',
  sessionId: 'sess_1',
  permissions: ['orders:read' as const],
  isSignedIn: () => Promise.resolve(true),
}

async function opened(count: number): Promise<ServerResponse> {
  const found = await waitFor('the request', async () => open[count - 1])
  if (!found) throw new Error('no response')
  return found
}

test('a client that does not read is disconnected, and another one receives', async () => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).pause()
  socket.on('error', () => {})
  socket.write('GET /slow HTTP/1.1\r\nhost: shop\r\n\r\n')
  const slow = await opened(1)
  const request = fetch(`${url}/fast`)
  const fast = await opened(2)
  updates.add(reader, fast)
  updates.add(reader, slow)
  expect(slow.destroyed).toBe(true)
  expect(updates.limitFor('user_1')).toBeUndefined()

  updates.changed(['orders', 'stock'])
  const chunks: string[] = []
  const { body } = await request
  const reading = body?.pipeThrough(new TextDecoderStream()).getReader()
  await waitFor('the message', async () => {
    chunks.push((await reading?.read())?.value ?? '')
    return chunks.join('').includes('data: orders\n\n')
  })
  expect(chunks.join('')).toBe(':\n\nevent: changed\ndata: orders\n\n')
  socket.destroy()
})
