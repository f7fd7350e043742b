import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import type { EventDefinition } from '@storefront/contracts'
import { describeEvent } from './describe-event.ts'
import { updateSchemas } from './update-schemas.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'storefront-event-schemas-'))
  expect((await update(event({ a: z.string(), b: z.int() }))).rejected).toEqual([])
})

afterEach(() => rm(folder, { recursive: true, force: true }))

function event(data: z.ZodRawShape, name = 'order.paid'): EventDefinition {
  return { name, from: 'orders', consumers: ['notifier'], data: z.object(data) }
}

function update(events: EventDefinition | EventDefinition[], more: Partial<Parameters<typeof updateSchemas>[0]> = {}) {
  const schemas = new Map([events].flat().map((one) => [one.name, describeEvent(one)]))
  return updateSchemas({ folder, schemas, today: '2026-11-21', check: false, ...more })
}

const read = (name: string) => readFile(join(folder, name), 'utf8')
const notes = async () => (await read('CHANGES.md')).split('\n').filter((line) => line.startsWith('- '))

const LOST = 'order.paid: data.b was removed or renamed.'

test('a new schema is written with a line in the changes, and then everything is up to date', async () => {
  expect(await notes()).toEqual([expect.stringMatching(/^- 2026-11-21 `order\.paid` `[0-9a-f]{16}`: new$/)])
  expect(await update(event({ a: z.string(), b: z.int() }))).toEqual({ stale: [], rejected: [] })
})

test('a compatible change is written, and a check writes nothing', async () => {
  const wider = event({ a: z.string(), b: z.int(), c: z.string().optional() })
  const before = await read('order.paid.json')
  expect(await update(wider, { check: true })).toEqual({ stale: ['order.paid.json'], rejected: [] })
  expect(await read('order.paid.json')).toBe(before)
  expect(await update(wider)).toEqual({ stale: ['order.paid.json'], rejected: [] })
  expect(await notes()).toHaveLength(2)
  expect(await update(wider, { check: true })).toEqual({ stale: [], rejected: [] })
})

test('a change that breaks consumers is rejected, and nothing else is written with it', async () => {
  const before = await read('order.paid.json')
  const { rejected } = await update([event({ a: z.string() }), event({ a: z.string() }, 'order.archived')])
  expect(rejected).toEqual([LOST])
  expect(await read('order.paid.json')).toBe(before)
  await expect(read('order.archived.json')).rejects.toThrow('ENOENT')
})

test('deleting or changing the committed schema does not bypass the check', async () => {
  await rm(join(folder, 'order.paid.json'))
  expect((await update(event({ a: z.string() }))).rejected).toEqual([expect.stringContaining('restore both')])
  await writeFile(join(folder, 'order.paid.json'), '{"type":"object"}')
  expect((await update(event({ a: z.string() }))).rejected).toEqual([expect.stringContaining('restore both')])
  await writeFile(join(folder, 'order.paid.json'), 'not JSON')
  expect((await update(event({ a: z.string() }))).rejected).toEqual([expect.stringContaining('restore both')])
})

test('an accepted incompatible change is written with its reason', async () => {
  const accept = { events: ['order.paid'], because: 'no consumer has read it' }
  expect((await update(event({ a: z.string() }), { accept })).rejected).toEqual([])
  expect(await notes()).toEqual([expect.any(String), expect.stringMatching(/accepted .*: no consumer has read it$/)])
  expect(await update(event({ a: z.string() }), { check: true })).toEqual({ stale: [], rejected: [] })
})

test('accepting a change of one event accepts none of another, and an unknown event is an error', async () => {
  await update([event({ a: z.string(), b: z.int() }), event({ a: z.string() }, 'order.archived')])
  const accept = { events: ['order.archived', 'order.pait'], because: 'no consumer has read it' }
  const { rejected } = await update([event({ a: z.string() }), event({}, 'order.archived')], { accept })
  expect(rejected).toEqual(['order.pait: there is no such schema.', LOST])
})

test('a published event cannot be removed, unless its withdrawal is accepted', async () => {
  expect((await update([])).rejected).toEqual([expect.stringContaining('the code no longer defines it')])
  const accept = { events: ['order.paid'], because: 'published under another name for a month' }
  expect(await update([], { accept })).toEqual({ stale: ['order.paid.json'], rejected: [] })
  await expect(read('order.paid.json')).rejects.toThrow('ENOENT')
  expect(await notes()).toContainEqual(expect.stringContaining('`order.paid` withdrawn: accepted'))
  expect(await update([], { check: true })).toEqual({ stale: [], rejected: [] })
})
