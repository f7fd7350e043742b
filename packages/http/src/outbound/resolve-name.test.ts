import { createSocket } from 'node:dgram'
import type { LookupAddress } from 'node:dns'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ResolveName } from './private-address.ts'
import { createNameResolver } from './resolve-name.ts'

/** The type of a DNS record with an IPv4 address. */
const A = 1
const socket = createSocket('udp4')
let folder: string
let hostsFile: string
let servers: string[]
/** The names that were requested from the name server. */
let queries: string[]

/**
 * `silent…` gets no reply, `good…` 93.184.216.34, `half…` that and nothing about IPv6, and other names do not exist.
 */
function replyTo(query: Buffer): Buffer | undefined {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  const type = query.readUInt16BE(at + 1)
  const name = labels.join('.')
  queries.push(name)
  if (name.startsWith('silent') || (name.startsWith('half') && type !== A)) return undefined
  const isKnown = name.startsWith('good') || name.startsWith('half')
  const header = Buffer.from(query.subarray(0, 12))
  header.writeUInt16BE(isKnown ? 0x8180 : 0x8183, 2)
  header.writeUInt16BE(isKnown && type === A ? 1 : 0, 6)
  header.writeUInt32BE(0, 8)
  const request = query.subarray(12, at + 5)
  const record = Buffer.from([0xc0, 12, 0, A, 0, 1, 0, 0, 0, 60, 0, 4, 93, 184, 216, 34])
  return Buffer.concat([header, request, ...(isKnown && type === A ? [record] : [])])
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'names-'))
  hostsFile = join(folder, 'hosts')
  await writeFile(hostsFile, '127.0.0.1 localhost\n# 1.1.1.1 other\n10.0.0.7\tErp.internal erp # ours\nfd00::7 erp\n')
  socket.on('message', (query, from) => {
    const reply = replyTo(query)
    if (reply) socket.send(reply, from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  servers = [`127.0.0.1:${socket.address().port}`]
})
beforeEach(() => void (queries = []))
afterAll(async () => {
  socket.close()
  await rm(folder, { recursive: true })
})

const resolver = (more: { system?: ResolveName; deadlineMs?: number } = {}) =>
  createNameResolver({ servers, hostsFile, ...more })

const lookUp = (resolve: ResolveName, name: string, family = 0): Promise<LookupAddress[]> =>
  new Promise((settle, reject) =>
    resolve(name, { all: true, family }, (error, addresses) => (error ? reject(error) : settle(addresses))),
  )

const GOOD = [{ address: '93.184.216.34', family: 4 }]

test('names whose name server does not reply delay no other name, however many they are', async () => {
  const resolve = resolver({ deadlineMs: 3000 })
  const silent = Array.from({ length: 60 }, (_, index) => lookUp(resolve, `silent${index}.example`))
  let isOver = false
  const over = Promise.allSettled(silent).then((outcomes) => {
    isOver = true
    return outcomes
  })
  expect(await lookUp(resolve, 'good.example')).toEqual(GOOD)
  expect(isOver).toBe(false)
  const outcomes = await over
  expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['rejected']))
})

test('a name is given up at its deadline, and one kind of address does not wait long for the other', async () => {
  const resolve = resolver({ deadlineMs: 300 })
  const began = performance.now()
  await expect(lookUp(resolve, 'silent.example')).rejects.toMatchObject({
    code: expect.stringMatching(/^(ECANCELLED|ETIMEOUT)$/),
  })
  expect(performance.now() - began).toBeLessThan(30_000)
  // The look-up must end long before its deadline.
  const longer = resolver({ deadlineMs: 60_000 })
  const startedMs = performance.now()
  expect(await lookUp(longer, 'half.example')).toEqual(GOOD)
  expect(performance.now() - startedMs).toBeLessThan(30_000)
})

test('simultaneous look-ups of one name share one query, and the next sends a new one', async () => {
  const resolve = resolver()
  const names = ['good.example', 'GOOD.example', 'good.example.']
  expect(await Promise.all(names.map((name) => lookUp(resolve, name)))).toEqual([GOOD, GOOD, GOOD])
  expect(queries.filter((name) => name === 'good.example')).toHaveLength(2)
  await lookUp(resolve, 'good.example')
  expect(queries.filter((name) => name === 'good.example')).toHaveLength(4)
})

test('the hosts file of this machine takes precedence, and no name server is queried', async () => {
  const resolve = resolver()
  const both = [
    { address: '10.0.0.7', family: 4 },
    { address: 'fd00::7', family: 6 },
  ]
  expect(await lookUp(resolve, 'ERP.')).toEqual(both)
  expect(await lookUp(resolve, 'erp', 6)).toEqual(both.slice(1))
  expect(await lookUp(resolve, 'erp.internal')).toEqual(both.slice(0, 1))
  await expect(lookUp(resolve, 'erp.internal', 6)).rejects.toMatchObject({ code: 'ENOTFOUND' })
  for (const name of ['localhost', 'LOCALHOST.', 'a.localhost']) {
    expect(await lookUp(resolve, name)).toContainEqual({ address: '127.0.0.1', family: 4 })
  }
  expect(queries).toEqual([])
  await expect(lookUp(resolve, 'other')).rejects.toMatchObject({ code: 'ENOTFOUND' })
})

test('the system look-up is used for names that DNS does not know, once at a time, and never for names without a reply', async () => {
  const systemQueries: string[] = []
  const waiting: (() => void)[] = []
  const system: ResolveName = (name, _options, callback) => {
    systemQueries.push(name)
    if (name === 'short') callback(null, [{ address: '10.0.0.8', family: 4 }])
    else waiting.push(() => callback(null, []))
  }
  // Long enough for a reply of the name server on a busy machine.
  const resolve = resolver({ system, deadlineMs: 1000 })
  expect(await lookUp(resolve, 'short')).toEqual([{ address: '10.0.0.8', family: 4 }])
  await expect(lookUp(resolve, 'silent.example')).rejects.toThrow()
  for (const _ of [1, 2]) await expect(lookUp(resolve, 'hanging')).rejects.toMatchObject({ code: 'ETIMEOUT' })
  expect(systemQueries).toEqual(['short', 'hanging'])
  for (const end of waiting) end()
})
