import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { findRoute } from './match-route.ts'
import { TIMEOUTS } from './timeouts.ts'
import { limitBodyTime } from './slow-bodies.ts'
import type { RequestContext } from './request-context.ts'

beforeEach(() => {
  vi.useFakeTimers()
  context.fault = undefined
})
afterEach(() => void vi.useRealTimers())

const context: RequestContext = {
  requestId: 'req_1',
  method: 'POST',
  target: '/admin/import',
  path: '/admin/import',
  route: findRoute('/admin/import'),
  head: { address: 13, headers: 100 },
  fitsInMemory: true,
  address: '192.0.2.1',
  fromStorefront: false,
  https: false,
  headers: { record: {}, flat: [] },
  startedMs: 0,
  allowance: undefined,
  cache: undefined,
  actor: { kind: 'anonymous' },
  span: undefined,
  upstreamSpan: undefined,
  fault: undefined,
  body: undefined,
}

/** A large body that stops arriving. */
function openUpload(): IncomingMessage {
  const request = new IncomingMessage(new Socket())
  request.on('data', () => {})
  limitBodyTime(request, new ServerResponse(request), context, { ...TIMEOUTS, bodyStallMs: 600 })
  return request
}

test('a large body that stops arriving is aborted', async () => {
  openUpload()
  await vi.advanceTimersByTimeAsync(599)
  expect(context.fault).toBeUndefined()
  await vi.advanceTimersByTimeAsync(301)
  expect(context.fault).toBe('slow_body')
})

test.each([0, 10, 290, 590])(
  'a large body has its full time again when its service continues reading, after %i ms of pause',
  async (afterMs) => {
    const request = openUpload()
    await vi.advanceTimersByTimeAsync(afterMs)
    request.pause()
    await vi.advanceTimersByTimeAsync(3599 - afterMs)
    request.resume()
    await vi.advanceTimersByTimeAsync(590)
    expect(context.fault).toBeUndefined()
    await vi.advanceTimersByTimeAsync(400)
    expect(context.fault).toBe('slow_body')
  },
)
