import { describe, expect, test } from 'vitest'
import type { ActivityPosition } from '@storefront/contracts'
import { mergeActivity, readActivity, type ActivitySource, type SourceEntry } from './activity.ts'
import { changedFields } from './changed-fields.ts'
import { changesOf } from './changes-of.ts'
import { LEFT_OUT } from './leave-out-secret.ts'

const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`
const entryOf = (number: number, second: number): SourceEntry => ({
  number,
  at: at(second),
  actorId: 'user_1',
  action: 'update',
  subject: { kind: 'product', id: 'prod_1' },
  summary: 'Something was changed.',
})

/** A source in memory, in the order of the real sources. */
function sourceOf(name: string, entries: SourceEntry[]): ActivitySource {
  const sorted = () =>
    entries.toSorted((one, other) => (one.at === other.at ? other.number - one.number : one.at < other.at ? 1 : -1))
  return {
    name,
    kinds: ['product'],
    async find(_filter, { behind, limit }) {
      const isBehind = (entry: SourceEntry) =>
        !behind ||
        entry.at < behind.at.toISOString() ||
        (entry.at === behind.at.toISOString() && entry.number < behind.number)
      return sorted().filter(isBehind).slice(0, limit)
    },
    count: async (_filter, most) => Math.min(entries.length, most),
  }
}

/** Reads all pages of services that have one or more sources each. */
async function readAll(
  services: ActivitySource[][],
  perPage: number,
  afterPage: () => void = () => {},
): Promise<string[]> {
  const seen: string[] = []
  let behind: ActivityPosition | undefined
  for (;;) {
    const query = { limit: perPage + 1, ...(behind && { behind }) }
    const pages = await Promise.all(services.map((sources) => readActivity(sources, query)))
    const merged = mergeActivity(
      pages.map(({ entries }) => entries),
      perPage + 1,
    )
    const page = merged.slice(0, perPage)
    seen.push(...page.map(({ at: time, source, number }) => `${time} ${source} ${number}`))
    const last = page.at(-1)
    if (merged.length <= perPage || !last) return seen
    behind = { at: last.at, source: last.source, number: last.number }
    afterPage()
  }
}

describe('the activity list', () => {
  // Many entries share a second, in one source and across sources, and their numbers do not follow the times.
  const times = [5, 5, 3, 5, 9, 9, 1, 5, 3, 3, 0, 9]
  const sources = () =>
    ['b', 'a', 'c'].map((name, shift) =>
      sourceOf(
        name,
        times.map((second, index) => entryOf(index + 1, (second + shift) % 10)),
      ),
    )

  test.each([1, 2, 3, 5, 7, 36, 100])('has every entry once and in order, with %d on a page', async (perPage) => {
    const [b, a, c] = sources()
    if (!a || !b || !c) throw new Error('no sources')
    const seen = await readAll([[b, c], [a]], perPage)
    expect(seen).toHaveLength(3 * times.length)
    expect(new Set(seen).size).toBe(seen.length)
    const seconds = seen.map((line) => line.slice(0, 24))
    expect(seconds).toEqual(seconds.toSorted().toReversed())
    expect(await readAll([[a, b, c]], 100)).toEqual(seen)
  })

  test('repeats and skips no entry while newer entries arrive', async () => {
    const entries = times.map((second, index) => entryOf(index + 1, second))
    const growing = sourceOf('a', entries)
    const before = await readAll([[growing]], 100)
    const seen = await readAll([[growing]], 2, () => entries.push(entryOf(entries.length + 1, 30)))
    expect(seen).toEqual(before)
    expect(before).toHaveLength(times.length)
    expect(entries.length).toBeGreaterThan(times.length)
  })

  test('reads no source that has no entries of the kind', async () => {
    const source = sourceOf('a', [entryOf(1, 1)])
    expect(await readActivity([source], { limit: 5, kinds: ['order'] })).toEqual({ entries: [], total: 0 })
    expect(await readActivity([source], { limit: 5, kinds: ['product', 'order'] })).toMatchObject({ total: 1 })
  })
})

describe('the changes of an audit entry', () => {
  test('are only the fields that differ', () => {
    expect(changedFields({ before: { a: 1, b: [1], c: 3 }, after: { a: 2, b: [1], d: 4 } })).toEqual({
      action: 'update',
      before: { a: 1, c: 3 },
      after: { a: 2, d: 4 },
    })
    expect(changedFields({ before: { a: [{ b: 1 }] }, after: { a: [{ b: 1 }] } })).toBeUndefined()
    expect(changedFields({ after: { a: 1 } })).toEqual({ action: 'create', before: undefined, after: { a: 1 } })
    expect(changedFields({ before: { a: 1 } })).toEqual({ action: 'delete', before: { a: 1 }, after: undefined })
    expect(changedFields({})).toBeUndefined()
  })

  test('are short enough for a list, and hold no secret', () => {
    const changes = changesOf(
      { price: 1, text: 'x'.repeat(300), smtpPassword: 'hush', gone: true },
      { price: 2, text: 'short', nested: { apiKey: 'hush', a: 1 } },
    )
    expect(changes).toEqual([
      { field: 'price', before: 1, after: 2 },
      { field: 'text', after: 'short' },
      { field: 'smtpPassword' },
      { field: 'gone', before: true },
      { field: 'nested', after: { apiKey: LEFT_OUT, a: 1 } },
    ])
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`field${index}`, 'ü'.repeat(180)]))
    const bounded = changesOf(many, many) ?? []
    expect(bounded).toHaveLength(20)
    expect(Buffer.byteLength(JSON.stringify(bounded))).toBeLessThan(8000)
    expect(changesOf(null, null)).toBeUndefined()
  })
})
