import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDatabase } from '@storefront/postgres'
import { createLog, HttpError } from '@storefront/service'
import type { CatalogTables, Database } from '../database.ts'
import { publicReads } from './public-reads.ts'

const log = createLog({ service: 'test', level: 'silent' })
// Only their names matter: nothing connects to them.
const database = (name: string): Database =>
  createDatabase<CatalogTables>({ url: 'postgres://catalog@127.0.0.1:1/none', poolSize: 1, name, log })
const primary = database('primary')
const standby = database('standby')
let reads: ReturnType<typeof publicReads>

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  reads = publicReads(primary, standby, log)
})

afterEach(() => {
  vi.useRealTimers()
})

const where = async (db: Database) => (db === primary ? 'primary' : 'standby')
const pageOf = (key: string) => reads.readPage([key], where)

test('pages that no merchant has changed are read on the standby', async () => {
  expect(await pageOf('product:shirt')).toBe('standby')
  expect(await reads.readList(where)).toBe('standby')
})

test('pages that a merchant has changed, and all lists, are read on the primary for six seconds', async () => {
  reads.noteWrite(['product:shirt'])
  expect(await pageOf('product:shirt')).toBe('primary')
  expect(await pageOf('product:coat')).toBe('standby')
  expect(await reads.readList(where)).toBe('primary')
  vi.advanceTimersByTime(3000)
  reads.noteWrite(['product:coat', 'product:shirt'])
  vi.advanceTimersByTime(5900)
  expect(await pageOf('product:shirt')).toBe('primary')
  vi.advanceTimersByTime(200)
  expect(await pageOf('product:shirt')).toBe('standby')
  expect(await reads.readList(where)).toBe('standby')
})

test('a page under a former slug is read on the primary when its product was changed', async () => {
  const read = async (db: Database) => ({ on: await where(db), slug: 'shirt' })
  const pageUnderFormerSlug = () => reads.readPage(['product:blouse'], read, ({ slug }) => [`product:${slug}`])
  expect(await pageUnderFormerSlug()).toMatchObject({ on: 'standby' })
  reads.noteWrite(['product:shirt'])
  expect(await pageUnderFormerSlug()).toMatchObject({ on: 'primary' })
  vi.advanceTimersByTime(6100)
  expect(await pageUnderFormerSlug()).toMatchObject({ on: 'standby' })
})

test('after a write of everything, or of more keys than are kept, everything is read on the primary', async () => {
  reads.noteWrite(['*'])
  expect(await pageOf('product:shirt')).toBe('primary')
  vi.advanceTimersByTime(6100)
  expect(await pageOf('product:shirt')).toBe('standby')
  for (let write = 0; write < 101; write++) {
    reads.noteWrite(Array.from({ length: 100 }, (_, each) => `product:${write}-${each}`))
  }
  expect(await pageOf('product:shirt')).toBe('primary')
})

test('pages that a standby does not have are read on the primary', async () => {
  const onPrimary = async (db: Database) => (db === primary ? 'found' : undefined)
  expect(await reads.readPage(['product:new'], onPrimary)).toBe('found')
  const list = reads.readList(async (db) => {
    if (db !== primary) throw new HttpError('not_found', 'This product does not exist.')
    return 'found'
  })
  expect(await list).toBe('found')
  const broken = reads.readList(async () => {
    throw new HttpError('internal_error', 'Something went wrong.')
  })
  await expect(broken).rejects.toThrow('Something went wrong.')
})

test('without a standby everything is read on the primary', async () => {
  reads = publicReads(primary, undefined, log)
  expect(await pageOf('product:shirt')).toBe('primary')
  expect(await reads.readList(where)).toBe('primary')
})
