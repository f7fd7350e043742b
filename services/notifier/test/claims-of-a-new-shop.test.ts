import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitFor } from '@storefront/tools/testing'
import { claimDeliveries } from '../src/deliveries/deliveries.queries.ts'
import type { Database } from '../src/database.ts'
import { createSetting, type Setting } from './setting.ts'

const FIRST = 120
const LOGGED = 3000
const DUE = 20

let setting: Setting

beforeAll(async () => {
  setting = await createSetting()
  await setting.suite.sql(`
    insert into notifier.endpoints (id, url, types, enabled, created_at)
    values ('whe_busy', 'https://busy.example/', '{order.paid}', true, now())`)
})
afterAll(() => setting.stop())

/** Queues deliveries, each about an order of its own. */
async function queue(name: string, count: number): Promise<void> {
  await setting.suite.sql(`
    insert into notifier.deliveries (id, endpoint_id, event_id, type, body, subject, mergeable, next_attempt_at, created_at)
    select 'dlv_${name}_' || n, 'whe_busy', 'evt_${name}_' || n, 'order.paid', '{}', 'order:order_' || md5('${name}' || n),
      false, now(), now()
    from generate_series(1, ${count}) n`)
}

/** Entries of the indexes of deliveries that were read so far. */
async function entriesRead(): Promise<number> {
  const [row] = await setting.suite.sql<{ count: number }>(`
    select sum(idx_tup_read)::int as count from pg_stat_user_indexes
    where schemaname = 'notifier' and relname = 'deliveries'`)
  return row?.count ?? 0
}

const claim = (db: Database) =>
  claimDeliveries(db, {
    held: [{ endpointId: 'whe_busy', count: 0 }],
    limit: 128,
    worker: 'one',
    leaseMs: 60_000,
    probeMs: 60_000,
    now: new Date(Date.now() + 1000),
  })

test('a claim reads the due deliveries, and not the log, with a plan from before the table was ever analyzed', async () => {
  const [table] = await setting.suite.sql<{ analyzed: boolean }>(
    `select reltuples >= 0 as analyzed from pg_class where oid = 'notifier.deliveries'::regclass`,
  )
  expect(table?.analyzed).toBe(false)
  // The index of open ones has two pages then, that of the log one: without statistics this makes the difference.
  await queue('first', FIRST)
  await setting.suite.sql(`update notifier.deliveries set status = 'waiting'`)
  await setting.suite.sql(`update notifier.deliveries set status = 'delivered', settled_at = now()`)

  let before = 0
  await setting.withDatabase(async (db) => {
    // PostgreSQL keeps the plan of the sixth execution.
    for (let time = 0; time < 7; time++) expect(await claim(db)).toEqual([])
    await queue('old', LOGGED)
    await setting.suite.sql(`update notifier.deliveries set status = 'delivered', settled_at = now()`)
    await queue('due', DUE)
    before = await entriesRead()
    expect(await claim(db)).toHaveLength(DUE)
  })
  // PostgreSQL counts what a connection read when it is closed.
  const read = await waitFor('the count of what was read', async () => {
    const count = (await entriesRead()) - before
    return count > 0 ? count : undefined
  })
  expect(read).toBeLessThan(DUE * 20 + LOGGED)
})
