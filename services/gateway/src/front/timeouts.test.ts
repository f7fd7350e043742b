import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TIMEOUTS, timeoutsWith } from './timeouts.ts'

test('turning off the limit of requests turns off that of concurrent ones, too, and keeps the timeouts', () => {
  expect(timeoutsWith(600)).toEqual(TIMEOUTS)
  const { connectionsPerAddress, uploadsPerAddress, requestsPerAddress, ...rest } = timeoutsWith(0)
  expect([connectionsPerAddress, uploadsPerAddress, requestsPerAddress]).toEqual([Infinity, Infinity, Infinity])
  expect(TIMEOUTS).toMatchObject(rest)
})

test('a console that waits for updates gets a comment long before the proxy of docker-compose closes the connection', async () => {
  const proxy = await readFile(join(import.meta.dirname, '../../../../deploy/compose/haproxy.cfg'), 'utf8')
  for (const side of ['client', 'server']) {
    const seconds = Number(new RegExp(`^ +timeout ${side} (\\d+)s$`, 'm').exec(proxy)?.[1])
    expect(seconds * 1000, side).toBeGreaterThan(3 * TIMEOUTS.updates.heartbeatMs)
  }
})
