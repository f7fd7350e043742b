import { transaction } from '@storefront/postgres'
import { sql as raw } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database, Tx } from '../src/database.ts'
import { claimDeliveries } from '../src/deliveries/claims.queries.ts'
import { insertDeliveries, noteOutcomes } from '../src/deliveries/deliveries.queries.ts'
import { listMails } from '../src/mails/mail-log.queries.ts'
import { markHandedOver, noteMails } from '../src/mails/mails.queries.ts'
import { createSetting, type Setting } from './setting.ts'

/** How many rows are processed when a plan is made; there are many more when it is used again. */
const FIRST = 120
const LOGGED = 3000
const DUE = 20
const WORKER = 'one'
const LEASE_MS = 60_000

let setting: Setting

beforeAll(async () => {
  setting = await createSetting()
  await setting.suite.sql(`
    insert into notifier.endpoints (id, url, types, enabled, created_at)
    values ('whe_busy', 'https://busy.example/', '{order.paid}', true, now())`)
})
afterAll(() => setting.stop())

const sql = <Row>(text: string) => setting.suite.sql<Row>(text)

async function expectNeverAnalyzed(table: string): Promise<void> {
  const rows = await sql(`select 1 from pg_class where oid = 'notifier.${table}'::regclass and reltuples < 0`)
  expect(rows).toHaveLength(1)
}

/** The server of the tests makes the plan for any values at once, and a list of one state needs the plan for it. */
async function planAsInAShop(db: Database): Promise<void> {
  await raw`set plan_cache_mode to auto`.execute(db)
}

/** @returns how many entries of the indexes of a table the work read */
function entriesRead(db: Database, table: string, work: (tx: Tx) => Promise<void>): Promise<number> {
  return transaction(db, async (tx) => {
    const before = await entriesReadSoFar(tx, table)
    await work(tx)
    return (await entriesReadSoFar(tx, table)) - before
  })
}

/** @returns those of this transaction, and of earlier ones of its connection that PostgreSQL has not added up yet */
async function entriesReadSoFar(tx: Tx, table: string): Promise<number> {
  const { rows } = await raw<{ count: number }>`
    select sum(pg_stat_get_xact_tuples_returned(indexrelid))::int as count from pg_index
    where indrelid = ${`notifier.${table}`}::text::regclass`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Queues deliveries, each about an order of its own. */
async function queueDeliveries(name: string, count: number): Promise<void> {
  await sql(`
    insert into notifier.deliveries (id, endpoint_id, event_id, type, body, subject, mergeable, next_attempt_at, created_at)
    select 'dlv_${name}_' || n, 'whe_busy', 'evt_${name}_' || n, 'order.paid', '{}', 'order:order_' || md5('${name}' || n),
      false, now(), now()
    from generate_series(1, ${count}) n`)
}

/** Moves each queued delivery through its states. */
async function deliverAll(): Promise<void> {
  await sql(
    `update notifier.deliveries set status = 'sending', leased_by = 'x', lease_until = now() where status = 'queued'`,
  )
  await sql(`
    update notifier.deliveries set status = 'delivered', settled_at = now(), leased_by = null, lease_until = null
    where status = 'sending'`)
}

async function claimAndNote(tx: Tx, count: number): Promise<void> {
  const now = new Date(Date.now() + 1000)
  const claimed = await claimDeliveries(tx, {
    held: [{ endpointId: 'whe_busy', count: 0 }],
    limit: 128,
    worker: WORKER,
    leaseMs: LEASE_MS,
    probeMs: LEASE_MS,
    now,
  })
  const outcomes = claimed.map(({ id, endpoint_id, replays }) => ({
    deliveryId: id,
    endpointId: endpoint_id,
    at: now,
    durationMs: 1,
    status: 200,
    error: null,
    answer: null,
    result: 'delivered' as const,
    failed: false,
    replays,
    nextAttemptAt: null,
  }))
  expect(outcomes).toHaveLength(count)
  await noteOutcomes(tx, WORKER, outcomes, now)
}

/** Queues deliveries of the service, each about an order of its own. */
function insertPaid(tx: Tx, name: string, count: number): Promise<void> {
  const deliveries = Array.from({ length: count }, (_, place) => ({
    id: `dlv_${name}_${place}`,
    endpointId: 'whe_busy',
    eventId: `evt_${name}_${place}`,
    type: 'order.paid',
    body: '{}',
    subject: `order:${name}_${place}`,
    mergeable: false,
    version: null,
    mergedEvents: 0,
  }))
  return insertDeliveries(tx, deliveries, new Date())
}

test('webhooks are queued and their results recorded without planning again and without reading the log, with plans from before the table was ever analyzed', async () => {
  await setting.withDatabase(async (db) => {
    await planAsInAShop(db)
    const purchase = (tx: Tx, name: string) => insertPaid(tx, name, 1).then(() => claimAndNote(tx, 1))
    for (let time = 0; time < 7; time++) await transaction(db, (tx) => purchase(tx, `early_${time}`))
    await queueDeliveries('logged', LOGGED)
    await deliverAll()
    for (let time = 0; time < 7; time++) await transaction(db, (tx) => purchase(tx, `later_${time}`))

    expect(await entriesRead(db, 'deliveries', (tx) => insertPaid(tx, 'more', DUE))).toBeLessThan(LOGGED)
    const { rows } = await raw<{ plans: number }>`
      select max(custom_plans)::int as plans from pg_prepared_statements
      where statement ~ 'insert into (deliveries|attempts)'`.execute(db)
    // PostgreSQL plans five times before it keeps a plan.
    expect(rows).toEqual([{ plans: 5 }])
  })
  await sql('truncate notifier.deliveries cascade')
})

test('webhooks are claimed and their results recorded without reading the log, with plans from before the table was ever analyzed', async () => {
  await expectNeverAnalyzed('deliveries')
  await queueDeliveries('first', FIRST)
  await deliverAll()

  await setting.withDatabase(async (db) => {
    // PostgreSQL keeps the plan of the sixth execution.
    for (let time = 0; time < 7; time++) {
      await queueDeliveries(`planned_${time}`, 1)
      await transaction(db, (tx) => claimAndNote(tx, 1))
    }
    await queueDeliveries('old', LOGGED)
    await deliverAll()
    await queueDeliveries('due', DUE)

    const read = await entriesRead(db, 'deliveries', (tx) => claimAndNote(tx, DUE))
    // Those that were due once are read once more: the index of due ones has them until it is vacuumed.
    expect(read).toBeLessThan(1.5 * LOGGED)
  })
  expect(await sql(`select 1 from notifier.deliveries where status <> 'delivered'`)).toEqual([])
})

/** Queues mails that a worker has claimed. */
async function claimedMails(name: string, count: number): Promise<string[]> {
  const rows = await sql<{ id: string }>(`
    insert into notifier.mails (id, event_id, event_at, kind, recipient, reference, data, next_attempt_at, phase, leased_by,
      lease_until, created_at)
    select 'mail_${name}_' || n, 'evt_${name}_' || n, now(), 'orderPlaced', 'a@b.example', 'SF-${name}' || n, '{}', now(),
      'connecting', '${WORKER}', now(), now()
    from generate_series(1, ${count}) n returning id`)
  return rows.map(({ id }) => id)
}

async function sendAll(tx: Tx, ids: readonly string[]): Promise<void> {
  await markHandedOver(tx, { ids, worker: WORKER, leaseMs: LEASE_MS })
  const outcomes = ids.map((id) => ({ id, phase: 'sent' as const, answer: null, nextAttemptAt: null, bounced: false }))
  await noteMails(tx, WORKER, outcomes, new Date())
}

test('mails are handed over, their results recorded and failed ones found without reading earlier ones, with plans from before the table was ever analyzed', async () => {
  await expectNeverAnalyzed('mails')
  await setting.withDatabase(async (db) => {
    await planAsInAShop(db)
    const send = (ids: readonly string[]) => transaction(db, (tx) => sendAll(tx, ids))
    await send(await claimedMails('first', FIRST))
    for (let time = 0; time < 7; time++) await send(await claimedMails(`planned_${time}`, 1))
    await claimedMails('old', LOGGED)
    await sql(`update notifier.mails set phase = 'handed-over' where phase = 'connecting'`)
    await sql(
      `update notifier.mails set phase = 'sent', leased_by = null, lease_until = null where phase = 'handed-over'`,
    )

    const due = await claimedMails('due', DUE)
    const read = await entriesRead(db, 'mails', async (tx) => {
      await sendAll(tx, due)
      // As the console does every half minute.
      await listMails(tx, { phase: 'failed' }, { limit: 1, offset: 0 })
    })
    expect(read).toBeLessThan(LOGGED)
  })
  expect(await sql(`select 1 from notifier.mails where phase <> 'sent'`)).toEqual([])
})
