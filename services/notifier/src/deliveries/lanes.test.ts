import { expect, test } from 'vitest'
import { createLanes, type Claim } from './lanes.ts'

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
  claimedAtMs: 0,
})

test('a probe of an open circuit starts at once, although a full lane has others waiting', () => {
  const started: string[] = []
  const lanes = createLanes(({ id }) => {
    started.push(id)
    return new Promise(() => {})
  })
  for (let nth = 0; nth < 12; nth++) lanes.add(claim(`dlv_${nth}`))
  lanes.fill('whe_1')
  expect(started).toHaveLength(8)
  lanes.add(claim('dlv_probe', true))
  lanes.fill('whe_1')
  expect(started.at(-1)).toBe('dlv_probe')
  expect(lanes.takeWaiting(['whe_1'])).toEqual(['dlv_8', 'dlv_9', 'dlv_10', 'dlv_11'])
})
