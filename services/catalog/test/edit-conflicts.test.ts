import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSuite, type Suite } from '@storefront/tools/testing'
import { z } from 'zod'
import type { RunningCatalog } from '../src/start.ts'
import { importCatalogue, shirt, startTestCatalog } from './catalog.ts'

let suite: Suite
let catalog: RunningCatalog

beforeAll(async () => {
  suite = await createSuite('catalog')
  catalog = await startTestCatalog(suite)
  const products = [shirt('first'), shirt('second')]
  expect((await importCatalogue(catalog.app, suite, { products })).statusCode).toBe(200)
})
afterAll(() => suite.stop())

const Records = z.object({ items: z.array(z.looseObject({ etag: z.string() })) })

interface Kind {
  path: string
  /** The member that names a record. */
  named: 'slug' | 'id'
  fields: object
  other: object
}

const KINDS: Record<string, Kind> = {
  category: { path: '/admin/categories', named: 'slug', fields: { name: 'Tops' }, other: { name: 'Shirts' } },
  collection: {
    path: '/admin/collections',
    named: 'slug',
    fields: { title: 'Summer', products: ['first', 'second'] },
    other: { products: ['second', 'first'] },
  },
  'size chart': {
    path: '/admin/size-charts',
    named: 'id',
    fields: { unit: 'cm', columns: ['Size', 'Chest'], rows: [['S', 90]] },
    other: { unit: 'cm', columns: ['Size', 'Chest'], rows: [['S', 91]] },
  },
}

async function send(method: 'POST' | 'DELETE', url: string, payload: object | undefined, ifMatch?: string) {
  const headers = { ...suite.headers.admin(), ...(ifMatch !== undefined && { 'if-match': ifMatch }) }
  return catalog.app.inject({ method, url, headers, ...(payload && { payload }) })
}

describe.each(Object.entries(KINDS))('a %s', (name, { path, named, fields, other }) => {
  const save = (id: string, change: object, ifMatch?: string) => send('POST', path, { [named]: id, ...change }, ifMatch)
  const remove = (id: string, ifMatch?: string) => send('DELETE', `${path}/${id}`, undefined, ifMatch)
  const tagOf = async (id: string): Promise<string> => {
    const read = await catalog.app.inject({ url: path, headers: suite.headers.admin(['catalog:read']) })
    return Records.parse(read.json()).items.find((each) => each[named] === id)?.etag ?? ''
  }

  test('is changed with the tag of the list or of the last reply, and with no other', async () => {
    const created = await save('changed', fields)
    expect(created.statusCode, created.payload).toBe(200)
    const first = await tagOf('changed')
    expect(created.headers.etag).toBe(first)
    expect(first).toMatch(/^"[\w-]{20,}"$/)
    const second = await save('changed', other, first)
    expect(second.statusCode, second.payload).toBe(200)
    expect(second.headers.etag).toBe(await tagOf('changed'))
    for (const stale of [first, '', '*x', `W/${String(second.headers.etag)}`, '"1"']) {
      const rejected = await save('changed', fields, stale)
      expect(rejected.statusCode, stale).toBe(409)
      expect(rejected.json()).toMatchObject({
        code: 'conflict',
        message: `Someone else changed this ${name} in the meantime. Please reload it and try again.`,
      })
    }
    expect(await tagOf('changed')).toBe(second.headers.etag)
    expect((await save('changed', fields, `"1", ${String(second.headers.etag)}`)).statusCode).toBe(200)
    expect((await save('changed', other, '*')).statusCode).toBe(200)
    expect((await save('changed', fields)).statusCode).toBe(200)
    expect(await tagOf('changed')).toBe(first)
  })

  test('is changed or deleted by only one of three merchants who read the same', async () => {
    const tag = String((await save('both', fields)).headers.etag)
    const replies = await Promise.all([save('both', other, tag), remove('both', tag), save('both', other, tag)])
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect(replies.every(({ statusCode }) => [200, 404, 409].includes(statusCode))).toBe(true)
    await remove('both')
  })

  test('is deleted with its tag, and not created by a change that expects it', async () => {
    const tag = String((await save('deleted', fields)).headers.etag)
    await save('deleted', other)
    expect((await remove('deleted', tag)).statusCode).toBe(409)
    expect((await remove('deleted', await tagOf('deleted'))).statusCode).toBe(200)
    for (const known of [tag, '*']) expect((await save('deleted', fields, known)).statusCode).toBe(409)
    expect(await tagOf('deleted')).toBe('')
    await save('deleted', fields)
    expect((await remove('deleted')).statusCode).toBe(200)
  })

  test('is sent back as it was listed', async () => {
    await save('whole', fields)
    const read = await catalog.app.inject({ url: path, headers: suite.headers.admin() })
    const whole = Records.parse(read.json()).items.find((each) => each[named] === 'whole')
    const saved = await send('POST', path, whole, whole?.etag)
    expect(saved.statusCode, saved.payload).toBe(200)
    expect(saved.headers.etag).toBe(whole?.etag)
    await remove('whole')
  })
})

test('one collection has the tag of the list, in its body and as its header', async () => {
  await send('POST', '/admin/collections', { slug: 'one', title: 'One', products: ['first'] })
  const headers = suite.headers.admin(['catalog:read'])
  const one = await catalog.app.inject({ url: '/admin/collections/one', headers })
  const list = await catalog.app.inject({ url: '/admin/collections', headers })
  const listed = Records.parse(list.json()).items.find(({ slug }) => slug === 'one')
  expect(one.headers.etag).toBe(listed?.etag)
  expect(one.json()).toEqual(listed)
})
