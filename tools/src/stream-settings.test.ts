import { expect, test } from 'vitest'
import { StartError } from './start-error.ts'
import { streamOptions } from './stream-settings.ts'

test('streams have the replicas and the maximum size of the environment', () => {
  expect(streamOptions({ NATS_REPLICAS: '5', STREAM_MAX_BYTES: '8388608' }, 'shop')).toEqual({
    replicas: 5,
    maxBytes: 8_388_608,
  })
  expect(streamOptions({ NATS_REPLICAS: '1' }, 'shop')).toEqual({ replicas: 1 })
})

test('without variables the streams have one replica on one server, and three in a cluster', () => {
  expect(streamOptions({}, undefined)).toEqual({ replicas: 1 })
  expect(streamOptions({ NATS_REPLICAS: '', STREAM_MAX_BYTES: '' }, 'shop')).toEqual({ replicas: 3 })
})

test.each(['0', '6', 'three', '1.5'])('NATS_REPLICAS=%s is rejected, and the error names the variable', (given) => {
  expect(() => streamOptions({ NATS_REPLICAS: given }, 'shop')).toThrow(StartError)
  expect(() => streamOptions({ NATS_REPLICAS: given }, 'shop')).toThrow(/NATS_REPLICAS/)
})
