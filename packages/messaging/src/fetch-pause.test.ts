import { JetStreamError } from '@nats-io/jetstream'
import { expect, test } from 'vitest'
import { pauseBeforeFetchMs } from './fetch-pause.ts'

test('events are fetched again at once after missed heartbeats, and after a pause when the server is down', () => {
  expect(pauseBeforeFetchMs(new JetStreamError('heartbeats missed'))).toBe(0)
  expect(pauseBeforeFetchMs(new JetStreamError('no responders'))).toBe(1000)
  expect(pauseBeforeFetchMs(new Error('heartbeats missed'))).toBe(1000)
  expect(pauseBeforeFetchMs(undefined)).toBe(1000)
})
