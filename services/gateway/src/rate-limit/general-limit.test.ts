import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { manualClock } from '@storefront/service/testing'
import { pino } from 'pino'
import { Redis } from 'ioredis'
import { afterEach, expect, test } from 'vitest'
import { GeneralLimit } from './general-limit.ts'

let limit: GeneralLimit
const clock = manualClock('2026-01-05T10:00:00.000Z')

afterEach(() => limit.stop())

const limitWith = (redis: Redis) =>
  new GeneralLimit({ name: 'general', limit: 2, redis, namespace: 'alone', clock, log: pino({ level: 'silent' }) })

/** A limit whose Redis never connects. */
const limitAlone = () => limitWith(new Redis({ lazyConnect: true }))

test('without Redis only the clients of the current minute stay in memory', () => {
  limit = limitAlone()
  for (let minute = 0; minute < 5; minute++) {
    for (let client = 0; client < 1000; client++) limit.count(`${minute}.${client}`)
    expect(limit.waiting()).toBe(1000)
    clock.advance(60_000)
  }
  expect(limit.count('a client')?.remaining).toBe(1)
  expect(limit.waiting()).toBe(1)
})

test('without Redis a flood of addresses in one minute stays within the memory limit', () => {
  limit = limitAlone()
  for (let client = 0; client < 110_000; client++) limit.count(`flood ${client}`)
  expect(limit.waiting()).toBe(100_000)
  limit.count('flood 109999')
  expect(limit.count('flood 109999')?.exceeded).toBe(true)
})

test('a Redis that disconnects during a flood of addresses brings no deleted client back into memory', async () => {
  const received = Promise.withResolvers<Socket>()
  const server = createServer((socket) => void socket.once('data', () => received.resolve(socket)))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const redis = new Redis({
    host: '127.0.0.1',
    ...(port !== undefined && { port }),
    // Nothing is sent before the counts.
    protocol: 2,
    enableReadyCheck: false,
    disableClientInfo: true,
    retryStrategy: () => null,
  })
  redis.on('error', () => {})
  limit = limitWith(redis)
  for (let client = 0; client < 500; client++) limit.count(`early ${client}`)
  const connection = await received.promise
  for (let client = 0; client < 100_000; client++) limit.count(`flood ${client}`)
  connection.destroy()
  await new Promise<void>((resolve) => redis.once('end', resolve))
  await setTimeout(50)
  expect(limit.waiting()).toBe(100_000)
  server.close()
})
