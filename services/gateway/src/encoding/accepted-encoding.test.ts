import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { acceptedEncoding } from './accepted-encoding.ts'

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['deflate', 'identity'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.1, gzip;q=0.9', 'gzip'],
  ['*', 'br'],
  ['*;q=0', 'identity'],
  ['br;q=nonsense', 'identity'],
])('%s gets %s', (header, encoding) => {
  expect(acceptedEncoding(header)).toBe(encoding)
})

test('a long header is parsed and not cached', () => {
  const collect: unknown = (setFlagsFromString('--expose-gc'), runInNewContext('gc'))
  const heldBytes = () => {
    if (typeof collect === 'function') collect()
    return process.memoryUsage().heapUsed
  }
  const before = heldBytes()
  for (let index = 0; index < 400; index++) {
    expect(acceptedEncoding(`gzip, ${Buffer.alloc(100_000, 'x').toString('latin1')}${index}`)).toBe('gzip')
  }
  expect(heldBytes() - before).toBeLessThan(10_000_000)
})
