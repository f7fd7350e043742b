import { Kysely, PostgresDialect, sql, type PostgresPool, type PostgresPoolClient, type Transaction } from 'kysely'
import { Pool, types, type PoolClient } from 'pg'
import { type Log, databaseConnections, databaseWaiting, DependencyUnavailable } from '@storefront/service'
import { isOfLostServer, isOutage, isSerializationFailure } from './database-errors.ts'
import { GradualPool, OPENING_MS } from './gradual-pool.ts'
import { BEGIN_SNAPSHOT, END_SNAPSHOT, preparedClient, statementNames } from './prepared-client.ts'
import { tracedConnect } from './trace-database.ts'

// bigint columns are counters and minor units of money here: all below 2^53, and a string would corrupt arithmetic.
types.setTypeParser(types.builtins.INT8, (text) => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`integer beyond 2^53 in the database: ${text}`)
  return value
})

interface DatabaseOptions {
  /** Address with the service's own role; its search path is the service's schema. */
  url: string
  poolSize: number
  /** How long work waits for a connection, in milliseconds; 3 seconds by default. */
  connectMs?: number
  /** How long the result of a statement is awaited, in milliseconds; 9 seconds by default. */
  resultMs?: number
  /** Rejects a connection that must not be used now: it is closed, and its caller gets the error. */
  accept?: (client: PostgresPoolClient) => Promise<void>
  /** Shown in pg_stat_activity. */
  name: string
  log: Log
}

const CONNECT_MS = 3000
/** The server ends a statement after this time. */
const STATEMENT_MS = 8000
/**
 * A server that has not even reported that it ended the statement is gone: its machine failed, or the network. Less than
 * the ten seconds of the gateway, whose caller then gets a 503.
 */
const RESULT_MS = 9000
/** Without it Linux checks only after two hours whether the other side of an idle connection still exists. */
const KEEP_ALIVE_MS = 10_000

/**
 * Opens the service's pool. Connections are made on demand; every statement, lock and idle transaction has a time
 * limit. When a server does not reply, or no longer accepts writes, all connections to it are given up.
 */
export function createDatabase<Schema>(options: DatabaseOptions): Kysely<Schema> {
  const waitMs = options.connectMs ?? CONNECT_MS
  const pool = new Pool({
    connectionString: options.url,
    max: options.poolSize,
    application_name: options.name,
    connectionTimeoutMillis: Math.max(waitMs, OPENING_MS),
    idleTimeoutMillis: 30_000,
    statement_timeout: STATEMENT_MS,
    query_timeout: options.resultMs ?? RESULT_MS,
    lock_timeout: 5000,
    idle_in_transaction_session_timeout: 15_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    // Sends `begin` together with the first statement of its transaction, see prepared-client.ts.
    pipeline: true,
  })
  pool.on('error', (error) => options.log.warn({ err: error }, 'an idle database connection was lost'))
  // The pool listens to idle connections only: without this listener, a connection lost in the middle of its work would
  // end the process.
  pool.on('connect', (client) => {
    client.on('error', (error) => options.log.warn({ err: error }, 'a database connection was lost'))
  })
  const gradual = new GradualPool<PoolClient>(pool, { size: options.poolSize, waitMs })
  const unwatch = [databaseConnections.watch(pool), databaseWaiting.watch(gradual)]
  const end = () => {
    for (const stop of unwatch) stop()
  }
  const ready = preparing(pool, gradual, end)
  return new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: options.accept ? checking(ready, options.accept) : ready }),
  })
}

/**
 * Connections with prepared statements. One whose server is gone, or was replaced by another and accepts no writes any
 * more, is closed, and so are the others that were opened before (docs/decisions/0095).
 */
function preparing(pool: Pool, gradual: GradualPool<PoolClient>, onEnd: () => void): PostgresPool {
  const nameOf = statementNames()
  const openedAt = new WeakMap<PoolClient, number>()
  pool.on('connect', (client) => openedAt.set(client, performance.now()))
  let givenUpAt = 0
  const isGivenUp = (client: PoolClient) => (openedAt.get(client) ?? 0) < givenUpAt
  const prepared = new WeakMap<PoolClient, PostgresPoolClient>()
  const prepare = (client: PoolClient): PostgresPoolClient => {
    const known = prepared.get(client)
    if (known) return known
    const made = preparedClient(client, {
      nameOf,
      onFailure(error) {
        if (isOfLostServer(error)) givenUpAt = performance.now()
      },
      isGivenUp: () => isGivenUp(client),
    })
    prepared.set(client, made)
    return made
  }
  return {
    connect: async () => {
      for (;;) {
        const client = await tracedConnect(pool, () => gradual.connect())
        if (!isGivenUp(client)) return prepare(client)
        client.release(true)
      }
    },
    end: () => {
      onEnd()
      return pool.end()
    },
    options: pool.options,
  }
}

/** Checks each connection when it is taken, and closes those that are rejected. */
function checking(pool: PostgresPool, accept: (client: PostgresPoolClient) => Promise<void>): PostgresPool {
  return {
    ...pool,
    connect: async () => {
      const client = await pool.connect()
      try {
        await accept(client)
      } catch (error) {
        client.release(true)
        throw error
      }
      return client
    },
  }
}

/** Any Kysely transaction, whatever its tables: what `publish` and the inbox need to know of one. */
export type AnyTransaction = Pick<Transaction<unknown>, 'getExecutor' | 'isTransaction'>

const commitListeners = new WeakMap<object, () => void>()
const withEvents = new WeakSet<object>()
const afterwards = new WeakMap<object, (() => void)[]>()

/**
 * Runs a callback when the transaction has committed, for example to count, which no rollback can undo. Only in
 * transactions of `transaction`. It must not throw.
 */
export function afterCommit(tx: AnyTransaction, work: () => void): void {
  const known = afterwards.get(tx)
  if (known) known.push(work)
  else afterwards.set(tx, [work])
}

/** Marks a transaction whose commit the relay waits for. */
export function markForRelay(tx: AnyTransaction): void {
  withEvents.add(tx)
}

/** Notifies the relay of a database of each commit that carries an event. */
export function onEventsCommitted<Schema>(db: Kysely<Schema>, listener: () => void): void {
  commitListeners.set(db, listener)
}

/**
 * Runs `work` in one transaction: it commits when the promise resolves and rolls back when it rejects. A transaction
 * that the database aborted in favor of another one is run again, at most three times in all.
 * @throws DependencyUnavailable when the database cannot be reached
 */
export async function transaction<Schema, Result>(
  db: Kysely<Schema>,
  work: (tx: Transaction<Schema>) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    let published = false
    let atTheEnd: readonly (() => void)[] = []
    try {
      const result = await db.transaction().execute(async (tx) => {
        const inner = await work(tx)
        published = withEvents.has(tx)
        atTheEnd = afterwards.get(tx) ?? []
        return inner
      })
      if (published) commitListeners.get(db)?.()
      for (const step of atTheEnd) step()
      return result
    } catch (error) {
      if (attempt < 3 && isSerializationFailure(error)) continue
      if (isOutage(error)) throw new DependencyUnavailable('postgres', error)
      throw error
    }
  }
}

/**
 * Runs several reads on one snapshot, so that the parts of a response agree. Costs no additional round trip. Nothing
 * can be written in it.
 */
export async function snapshot<Schema, Result>(
  db: Kysely<Schema>,
  read: (db: Kysely<Schema>) => Promise<Result>,
): Promise<Result> {
  return db.connection().execute(async (connection) => {
    await sql.raw(BEGIN_SNAPSHOT).execute(connection)
    try {
      return await read(connection)
    } finally {
      await sql.raw(END_SNAPSHOT).execute(connection)
    }
  })
}
