import { describe, expect, test } from 'vitest'
import { createEntry, represent, type Entry } from './entry.ts'
import { Store } from './store.ts'

const FRESHNESS = { freshMs: 1000, staleMs: 0, staleIfErrorMs: 0 }

function entry(key: string, tags: string, length = 10): Entry {
  return createEntry(key, { 'surrogate-key': tags }, Buffer.alloc(length), FRESHNESS, 0)
}

describe('the store', () => {
  test('drops the entries that were made from changed data, and no others', () => {
    const store = new Store(1e6)
    const since = store.fetchBegins()
    store.keep(entry('/a', 'product:a listing'), since)
    store.keep(entry('/b', 'product:b listing'), since)
    store.keep(entry('/c', 'settings'), since)
    store.fetchEnds()
    store.purge(['product:a'])
    expect([store.get('/a'), store.get('/b')?.key, store.get('/c')?.key]).toEqual([undefined, '/b', '/c'])
    store.purge(['listing', 'unknown'])
    expect([store.get('/b'), store.get('/c')?.key]).toEqual([undefined, '/c'])
    store.purge(['*'])
    expect(store.size).toBe(0)
  })

  test('does not keep a response that was purged during its fetch', () => {
    const store = new Store(1e6)
    const slow = store.fetchBegins()
    store.purge(['product:a'])
    const later = store.fetchBegins()
    expect(store.keep(entry('/a', 'product:a'), slow)).toBe('superseded')
    expect(store.keep(entry('/b', 'product:b'), slow)).toBe('kept')
    expect(store.keep(entry('/a', 'product:a'), later)).toBe('kept')
    store.purge(['product:a'])
    expect(store.get('/a')).toBeUndefined()
    store.fetchEnds()
    store.fetchEnds()
  })

  test('remembers a purge until the last fetch that might have missed it has ended', () => {
    const store = new Store(1e6)
    const slow = store.fetchBegins()
    store.purge(['product:a'])
    store.fetchBegins()
    store.fetchEnds()
    expect(store.keep(entry('/a', 'product:a'), slow)).toBe('superseded')
    store.fetchEnds()
  })

  test('treats all running fetches as superseded after more purges than it can remember', () => {
    const store = new Store(1e6)
    const since = store.fetchBegins()
    for (let index = 0; index <= 10_000; index++) store.purge([`product:${index}`])
    expect(store.keep(entry('/a', 'product:0'), since)).toBe('superseded')
    const later = store.fetchBegins()
    expect(store.keep(entry('/a', 'product:0'), later)).toBe('kept')
  })

  test('does not keep a response that was being fetched when everything was dropped', () => {
    const store = new Store(1e6)
    const since = store.fetchBegins()
    store.clear()
    expect(store.keep(entry('/a', ''), since)).toBe('superseded')
    store.fetchEnds()
  })

  test('stays within its limit of bytes, and deletes the tags of dropped entries', () => {
    const store = new Store(22_000)
    const since = store.fetchBegins()
    for (let index = 0; index < 20; index++) store.keep(entry(`/${index}`, 'listing', 5000), since)
    store.fetchEnds()
    expect(store.bytes).toBeLessThanOrEqual(22_000)
    expect(store.size).toBe(3)
    store.purge(['listing'])
    expect(store.size).toBe(0)
    expect(store.keep(entry('/large', '', 30_000), store.fetchBegins())).toBe('too large')
  })

  test('counts URLs and surrogate keys, which may be longer than the responses', () => {
    const store = new Store(1e6)
    store.keep(entry('/a', ''), store.fetchBegins())
    const bytes = store.bytes
    store.keep(entry(`/${'b'.repeat(2000)}`, ''), 0)
    expect(store.bytes - bytes).toBeGreaterThan(bytes + 2000)
    const before = store.bytes
    store.keep(entry('/c', Array.from({ length: 48 }, (_, index) => `product:${index}`).join(' ')), 0)
    expect(store.bytes - before).toBeGreaterThan(bytes + 48 * 100)
  })

  test('counts compressed bodies, which come later, and still finds their entry by its tags', () => {
    const store = new Store(10_000)
    const since = store.fetchBegins()
    const [first, second] = [entry('/a', 'a', 2000), entry('/b', 'b', 2000)]
    store.keep(first, since)
    store.keep(second, since)
    const before = store.bytes
    second.compressed.gzip = represent('gzip', Buffer.alloc(1000), second.etag, second.headers)
    store.grown(second)
    expect(store.bytes - before).toBe(1000)
    second.compressed.br = represent('br', Buffer.alloc(1000), second.etag, second.headers)
    store.grown(second)
    expect([store.get('/a'), store.get('/b')]).toEqual([undefined, second])
    store.purge(['b'])
    store.grown(second)
    expect(store.size).toBe(0)
  })

  test('a newer response replaces an older one and its tags', () => {
    const store = new Store(1e6)
    const since = store.fetchBegins()
    store.keep(entry('/a', 'old'), since)
    store.keep(entry('/a', 'new'), since)
    store.purge(['old'])
    expect(store.get('/a')?.tags).toEqual(['new'])
    store.purge(['new'])
    expect(store.get('/a')).toBeUndefined()
  })
})
