import { expect, test, vi } from 'vitest'
import { PageCache, type RenderedPage } from './page-cache.ts'

const SECOND = 1000
const MINUTE = 60_000
const page = (text: string, ...keys: string[]): RenderedPage => ({
  status: 200,
  headers: {},
  body: Buffer.from(text),
  keys: new Set(keys),
})

function openCache(bytes = 1_000_000) {
  let now = 0
  const cache = new PageCache(bytes, () => now)
  const read = async (address: string, render: () => Promise<RenderedPage>) =>
    (await cache.get(address, render)).body.toString()
  return { cache, read, pass: (ms: number) => (now += ms) }
}

test('a page is rendered once for all requests that wait for it, and kept for a minute', async () => {
  const { read, pass } = openCache()
  const render = vi.fn<() => Promise<RenderedPage>>(async () => page('one'))
  expect(await Promise.all([read('/', render), read('/', render), read('/', render)])).toEqual(['one', 'one', 'one'])
  pass(MINUTE - 1)
  await read('/', render)
  expect(render).toHaveBeenCalledTimes(1)
})

test('an older page is sent at once and rendered again meanwhile', async () => {
  const { read, pass } = openCache()
  await read('/', async () => page('one'))
  pass(2 * MINUTE)
  expect(await read('/', async () => page('two'))).toBe('one')
  await expect.poll(() => read('/', async () => page('three'))).toBe('two')
})

test('a purge has the pages rendered again that show what changed, and no others', async () => {
  const { cache, read, pass } = openCache()
  await read('/shirt', async () => page('shirt', 'product shirt'))
  await read('/coat', async () => page('coat', 'product coat'))
  pass(SECOND)
  cache.purge(['product shirt'])
  expect(await read('/shirt', async () => page('new shirt'))).toBe('new shirt')
  expect(await read('/coat', async () => page('new coat'))).toBe('coat')
  cache.purge()
  expect(await read('/coat', async () => page('newest coat'))).toBe('newest coat')
})

test('a page that is purged again and again is rendered once a second, and then shows the last change', async () => {
  const { cache, read, pass } = openCache()
  let change = 0
  const render = vi.fn<() => Promise<RenderedPage>>(async () => page(`change ${change}`, 'lists'))
  await read('/', render)
  for (; change < 99; change++) {
    pass(SECOND / 10)
    cache.purge(['lists'])
    await read('/', render)
  }
  expect(render.mock.calls.length).toBeLessThanOrEqual(11)
  pass(SECOND)
  expect(await read('/', render)).toBe('change 99')
})

test('a page that was being rendered during a purge is rendered again for the next request', async () => {
  const { cache, read } = openCache()
  const reading = Promise.withResolvers<RenderedPage>()
  const first = read('/shirt', () => reading.promise)
  cache.purge(['product shirt'])
  const second = read('/shirt', async () => page('new price', 'product shirt'))
  reading.resolve(page('old price', 'product shirt'))
  expect(await Promise.all([first, second])).toEqual(['old price', 'new price'])
  expect(await read('/shirt', async () => page('never'))).toBe('new price')
})

test('while the shop does not respond, the last page is sent for a day, and errors are never kept', async () => {
  const { cache, read, pass } = openCache()
  const away = () => Promise.reject(new Error('away'))
  await expect(read('/', away)).rejects.toThrow('away')
  await read('/', async () => page('one'))
  cache.purge()
  pass(SECOND)
  expect(await read('/', away)).toBe('one')
  pass(24 * 60 * MINUTE)
  await expect(read('/', away)).rejects.toThrow('away')
  expect(await read('/', async () => page('two'))).toBe('two')
})

test('pages that do not fit are rendered again, the oldest first', async () => {
  const { read } = openCache(20_000)
  const text = 'x'.repeat(1000)
  for (let number = 0; number < 10; number++) await read(`/${number}`, async () => page(text))
  const render = vi.fn<() => Promise<RenderedPage>>(async () => page(text))
  await read('/9', render)
  expect(render).not.toHaveBeenCalled()
  await read('/0', render)
  expect(render).toHaveBeenCalledOnce()
})

test('redirects, which have no body, are not kept without end', async () => {
  const { read } = openCache(20_000)
  for (let number = 0; number < 20; number++) await read(`/${number}`, async () => page(''))
  const render = vi.fn<() => Promise<RenderedPage>>(async () => page(''))
  await read('/0', render)
  expect(render).toHaveBeenCalledOnce()
})

test('more pages at a time than a server can render are rejected, but an old page is sent instead', async () => {
  const { cache, read, pass } = openCache()
  await read('/old', async () => page('old'))
  cache.purge()
  pass(SECOND)
  const reading = Promise.withResolvers<RenderedPage>()
  const waiting = Array.from({ length: 64 }, (_each, number) => read(`/${number}`, () => reading.promise))
  await expect(read('/one-more', async () => page('one more'))).rejects.toMatchObject({ statusCode: 503 })
  expect(await read('/old', async () => page('new'))).toBe('old')
  reading.resolve(page('rendered'))
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['rendered']))
  expect(await read('/one-more', async () => page('one more'))).toBe('one more')
})
