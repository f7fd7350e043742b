import { createServer } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { listen } from '@storefront/tools/listen'
import { walkCursors } from './cursor-walks.ts'

const TOTAL = 1000
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** Serves lists of TOTAL items whose cursor names the list and the next position. */
async function openLists(options: { cursors: boolean }): Promise<{ url: string; wrongCursors: () => number }> {
  let wrongCursors = 0
  const server = createServer((request, response) => {
    const query = new URL(request.url ?? '/', 'http://shop').searchParams
    const list = ['category', 'colors', 'sort'].map((name) => query.get(name) ?? '').join(':')
    const perPage = Number(query.get('per_page'))
    const [of, from] = query.get('cursor')?.split('@') ?? [list, (Number(query.get('page') ?? 1) - 1) * perPage]
    if (of !== list) wrongCursors++
    const end = Number(from) + perPage
    const nextCursor = options.cursors && end < TOTAL ? { nextCursor: `${list}@${end}` } : {}
    response.end(JSON.stringify({ items: [], total: TOTAL, ...nextCursor }))
  })
  const { url, close } = await listen(server)
  closing.push(close)
  return { url, wrongCursors: () => wrongCursors }
}

test('walks go deep into lists and use each cursor with its own list', async () => {
  const lists = await openLists({ cursors: true })
  const paths = await walkCursors(lists.url, 'test')
  const cursors = paths.map((path) => new URL(path, lists.url).searchParams.get('cursor') ?? '')
  expect(lists.wrongCursors()).toBe(0)
  for (const path of paths) await fetch(`${lists.url}${path}`)
  expect(lists.wrongCursors()).toBe(0)
  expect(new Set(paths).size).toBeGreaterThan(500)
  expect(new Set(cursors.map((cursor) => cursor.split('@')[0])).size).toBeGreaterThan(10)
  expect(Math.min(...cursors.map((cursor) => Number(cursor.split('@')[1])))).toBeGreaterThan(48)
})

test('walks of lists without cursors return nothing', async () => {
  const { url } = await openLists({ cursors: false })
  expect(await walkCursors(url, 'test')).toEqual([])
})
