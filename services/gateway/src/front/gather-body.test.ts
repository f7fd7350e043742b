import { createServer, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { waitFor } from '@storefront/tools/testing'
import { bodyGatherer } from './gather-body.ts'

let server: Server
let port = 0
let outcomes: string[] = []
let arrived = 0
const sockets: Socket[] = []

beforeEach(async () => {
  outcomes = []
  arrived = 0
  const gather = bodyGatherer(1000, 700)
  server = createServer((request, response) => {
    arrived++
    gather(String(request.headers['x-client'] ?? request.socket.remotePort), request, {
      ready: (body) => {
        outcomes.push(body.toString())
        response.end()
      },
      noMemory: () => {
        outcomes.push('no memory')
        response.writeHead(503).end()
      },
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  port = typeof address === 'object' && address !== null ? address.port : 0
})

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  server.close()
})

function open(length: number, start: string, client?: string): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {}).resume()
  sockets.push(socket)
  socket.write(
    `POST / HTTP/1.1\r\nhost: x\r\n${client === undefined ? '' : `x-client: ${client}\r\n`}content-length: ${length}\r\n\r\n${start}`,
  )
  return socket
}

test('a body is delivered when it is complete, in whatever pieces it arrives', async () => {
  const socket = open(11, 'he')
  await waitFor('the request', () => arrived === 1)
  for (const letter of 'llo worl') {
    const before = socket.bytesWritten
    socket.write(letter)
    await waitFor('the letter to be sent', () => socket.bytesWritten > before && socket.writableLength === 0)
  }
  expect(outcomes).toEqual([])
  socket.write('d')
  await waitFor('the body', () => outcomes.length === 1)
  open(5, 'whole')
  await waitFor('the other request', () => outcomes.length === 2)
  expect(outcomes).toEqual(['hello world', 'whole'])
})

test('unfinished bodies share limited memory, and complete ones need none', async () => {
  const first = open(600, 'x')
  await waitFor('the first', () => arrived === 1)
  const second = open(600, 'x')
  await waitFor('the rejection', () => outcomes.length === 1)
  expect(outcomes).toEqual(['no memory'])
  second.write('x'.repeat(599))
  open(900, 'y'.repeat(900))
  await waitFor('the complete body', () => outcomes.length === 2)
  expect(outcomes[1]).toBe('y'.repeat(900))
  first.destroy()
  await waitFor('memory', async () => {
    const [arrivedBefore, before] = [arrived, outcomes.length]
    const next = open(600, 'z')
    // Only a body that is incomplete when its request arrives needs memory.
    await waitFor('the request', () => arrived > arrivedBefore)
    next.write('z'.repeat(599))
    await waitFor('its result', () => outcomes.length > before)
    return outcomes.at(-1) === 'z'.repeat(600)
  })
  expect(outcomes.filter((outcome) => outcome.startsWith('x'))).toEqual([])
})

test('one client may use only a part of the memory', async () => {
  open(400, 'x', 'one')
  await waitFor('the first', () => arrived === 1)
  open(400, 'x', 'one')
  await waitFor('the rejection', () => outcomes.length === 1)
  const other = open(400, 'y', 'other')
  await waitFor('the other request', () => arrived === 3)
  other.write('y'.repeat(399))
  await waitFor('its body', () => outcomes.length === 2)
  expect(outcomes).toEqual(['no memory', 'y'.repeat(400)])
})
