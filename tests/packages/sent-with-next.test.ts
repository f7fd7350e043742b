import { connect, createServer, type Server } from 'node:net'
import { sql, type Kysely } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ASYNC_COMMIT, createDatabase, transaction, type AnyTransaction } from '@storefront/postgres'
import { handleOnce } from '@storefront/messaging/testing'
import { createSuite, type Suite } from '@storefront/tools/testing'

let suite: Suite
let server: Server
let db: Kysely<unknown>
/** What was sent to the database, by packet. */
let packets: string[] = []

beforeAll(async () => {
  suite = await createSuite('orders')
  await suite.sql('create table orders.notes (text text primary key)')
  await suite.sql('grant all on orders.notes to public')
  const url = new URL(suite.databaseUrl('orders'))
  const database = { host: url.hostname, port: Number(url.port) }
  server = createServer((client) => {
    const upstream = connect({ ...database, noDelay: true })
    client.on('data', (chunk: Buffer) => {
      packets.push(chunk.toString('latin1'))
      upstream.write(chunk)
    })
    upstream.pipe(client)
    // A database that is deleted resets its connections.
    upstream.on('error', () => client.destroy())
    client.on('error', () => {})
    client.on('close', () => upstream.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  url.hostname = '127.0.0.1'
  url.port = String(typeof address === 'object' && address ? address.port : 0)
  // The server of the tests does not wait by default.
  url.searchParams.set('options', '-c synchronous_commit=on')
  db = createDatabase({ url: url.href, poolSize: 1, name: 'sent-with-next', log: suite.log })
})
afterAll(async () => {
  await db.destroy()
  server.close()
  await suite.stop()
})
beforeEach(() => suite.sql('truncate orders.notes'))

const write = (tx: AnyTransaction, text: string) =>
  sql`insert into orders.notes values (${text}) /* sent with the next */`.execute(tx)
const read = async (tx: AnyTransaction) =>
  (await sql<{ text: string }>`select text from orders.notes order by text`.execute(tx)).rows.map(({ text }) => text)
const notes = async () =>
  (await suite.sql<{ text: string }>('select text from orders.notes order by 1')).map(({ text }) => text)

test('statements that are not awaited leave in one packet with the next one, and with the commit', async () => {
  const run = () =>
    transaction(db, async (tx) => {
      await write(tx, 'one')
      await write(tx, 'two')
      const seen = await read(tx)
      await write(tx, 'three')
      return seen
    })
  await run() // Opens the connection and prepares the statements.
  await suite.sql('truncate orders.notes')
  packets = []
  expect(await run()).toEqual(['one', 'two'])
  expect(await notes()).toEqual(['one', 'three', 'two'])
  expect(packets).toEqual([expect.stringContaining('begin'), expect.stringContaining('commit')])
})

const DUPLICATE = { code: '23505' }

test('the failure of a statement that is not awaited is thrown by the next one, and nothing is written', async () => {
  await suite.sql(`insert into orders.notes values ('taken')`)
  // The server rejects it unprepared, and it has to be prepared again afterwards.
  const others = async (tx: AnyTransaction) =>
    (await sql<{ text: string }>`select text from orders.notes where text <> ${'taken'}`.execute(tx)).rows
  let isContinued = false
  const failed = transaction(db, async (tx) => {
    await write(tx, 'one')
    await write(tx, 'taken')
    await write(tx, 'two')
    await others(tx)
    isContinued = true
  })
  await expect(failed).rejects.toMatchObject(DUPLICATE)
  expect([isContinued, await notes()]).toEqual([false, ['taken']])
  expect(await transaction(db, others)).toEqual([])
})

test('the failure of the last statement is thrown by the commit, and the connection stays usable', async () => {
  await suite.sql(`insert into orders.notes values ('taken')`)
  const failed = transaction(db, async (tx) => {
    await write(tx, 'one')
    await write(tx, 'taken')
  })
  await expect(failed).rejects.toMatchObject(DUPLICATE)
  expect(await notes()).toEqual(['taken'])
  await transaction(db, (tx) => write(tx, 'two'))
  expect(await notes()).toEqual(['taken', 'two'])
})

test('an error of the work itself is thrown unchanged', async () => {
  await suite.sql(`insert into orders.notes values ('taken')`)
  const failed = transaction(db, async (tx) => {
    await write(tx, 'taken')
    throw new Error('no more')
  })
  await expect(failed).rejects.toThrow('no more')
  expect(await notes()).toEqual(['taken'])
})

test('the receipt of an event leaves in one packet with the first statement of its effect, and is found by the next attempt', async () => {
  const effects: string[][] = []
  const handle = (id: string) =>
    handleOnce(db, 'orders-test', [{ id, name: 'test', at: '2030-01-01T00:00:00.000Z', data: {} }], async (tx) => {
      await write(tx, id)
      effects.push(await read(tx))
    })
  await handle('event_1') // Prepares the statements.
  packets = []
  await handle('event_2')
  expect(packets).toEqual([expect.stringContaining('begin'), expect.stringContaining('commit')])
  await handle('event_2')
  expect(effects).toEqual([['event_1'], ['event_1', 'event_2']])
  expect(await notes()).toEqual(['event_1', 'event_2'])
})

test('outside a transaction the caller of the statement gets its failure', async () => {
  await suite.sql(`insert into orders.notes values ('taken')`)
  const outside = sql`insert into orders.notes values (${'taken'}) /* sent with the next */`.execute(db)
  await expect(outside).rejects.toMatchObject(DUPLICATE)
})

test('a commit that does not wait changes this setting for its own transaction only', async () => {
  const setting = async (tx: AnyTransaction | Kysely<unknown>) =>
    (await sql<{ value: string }>`select current_setting('synchronous_commit') as value`.execute(tx)).rows[0]?.value
  const statements = [
    sql`insert into orders.notes select ${'one'} from ${ASYNC_COMMIT}`,
    sql`update orders.notes set text = ${'two'} from ${ASYNC_COMMIT} where text = any(array(select 'one'))`,
    sql`select pg_try_advisory_xact_lock(1) from ${ASYNC_COMMIT}`,
  ]
  for (const statement of statements) {
    const during = await transaction(db, async (tx) => {
      await statement.execute(tx)
      return setting(tx)
    })
    expect([during, await setting(db)]).toEqual(['off', 'on'])
  }
  expect(await notes()).toEqual(['two'])
})

test('statements that read all columns keep working when a migration adds a column', async () => {
  const all = () => sql`select * from orders.notes where text = ${'one'}`.execute(db)
  const returned = () => sql`insert into orders.notes values (${'one'}) on conflict do nothing returning *`.execute(db)
  expect([...(await returned()).rows, ...(await all()).rows]).toEqual([{ text: 'one' }, { text: 'one' }])
  await suite.sql('truncate orders.notes')
  await suite.sql('alter table orders.notes add column at date')
  expect([...(await returned()).rows, ...(await all()).rows]).toHaveLength(2)
})
