import { expect, test } from 'vitest'
import { createEndpointQueues, type Claim } from './endpoint-queues.ts'

const claim = (id: string, probe = false): Claim => ({
  id,
  endpoint_id: 'whe_1',
  url: 'https://shop.example/hook',
  event_id: 'evt_1',
  body: '{}',
  failures: 0,
  replays: 0,
  probe,
  traceparent: null,
  secret: null,
  previous_secret: null,
  previous_until: null,
  beganMs: 0,
  claimedAtMs: 0,
})

test('a probe of an open circuit starts at once, although a full queue has others waiting', () => {
  const started: string[] = []
  const queues = createEndpointQueues(({ id }) => {
    started.push(id)
    return new Promise(() => {})
  })
  for (let nth = 0; nth < 12; nth++) queues.add(claim(`dlv_${nth}`))
  queues.fill('whe_1')
  expect(started).toHaveLength(8)
  queues.add(claim('dlv_probe', true))
  queues.fill('whe_1')
  expect(started.at(-1)).toBe('dlv_probe')
  expect(queues.takeWaiting(['whe_1'])).toEqual(['dlv_8', 'dlv_9', 'dlv_10', 'dlv_11'])
})
