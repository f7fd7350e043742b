import { afterEach, beforeEach, expect, test } from 'vitest'
import { HEARTBEAT_INTERVAL_HEADER, HEARTBEAT_PATH, type App } from '@storefront/http'
import { waitFor } from '@storefront/tools/testing'
import { openApp } from './open-app.ts'

let app: App
let url: string

beforeEach(async () => {
  app = await openApp()
  url = await app.listen({ host: '127.0.0.1', port: 0 })
})

afterEach(() => app.close())

test('a heartbeat stays open until the app begins to stop, and is rejected from then on, while /healthz succeeds', async () => {
  const held = await fetch(url + HEARTBEAT_PATH)
  expect([held.status, held.headers.get('connection')]).toEqual([200, 'close'])
  let ended = false
  const end = held.text().then((text) => {
    ended = true
    return text
  })
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  expect(ended).toBe(false)
  app.beginStop()
  expect((await end).trim()).toBe('')
  const statusOf = async (path: string) => (await fetch(url + path)).status
  expect(await Promise.all([HEARTBEAT_PATH, '/readyz', '/healthz'].map(statusOf))).toEqual([503, 503, 200])
})

test('a heartbeat has an interval of 600 ms, and keeps sending lines', async () => {
  const held = await fetch(url + HEARTBEAT_PATH)
  expect(held.headers.get(HEARTBEAT_INTERVAL_HEADER)).toBe('600')
  const reader = held.body?.getReader()
  const next = async () => Buffer.from((await reader?.read())?.value ?? []).toString()
  let lines = await next()
  expect(lines).toMatch(/^\n+$/)
  // One read may return several lines when the machine is busy.
  await waitFor('a second line', async () => {
    lines += await next()
    return lines.length > 1
  })
  expect(lines).toMatch(/^\n+$/)
  await reader?.cancel()
})

test('an open heartbeat does not delay the stop of the app', async () => {
  const held = await fetch(url + HEARTBEAT_PATH)
  await app.close()
  expect((await held.text()).trim()).toBe('')
})
