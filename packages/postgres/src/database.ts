import { createHash } from 'node:crypto'
import { Kysely, PostgresDialect, sql, type PostgresPool, type PostgresPoolClient, type Transaction } from 'kysely'
import { Pool, types, type PoolClient, type QueryConfig } from 'pg'
import { type Log, databaseConnections, databaseWaiting, DependencyUnavailable } from '@storefront/service'
import { isOfLostServer, isOutage, isSerializationFailure } from './database-errors.ts'
import { GradualPool, OPENING_MS } from './gradual-pool.ts'
import { tracedConnect, tracedQuery } from './trace-database.ts'

// bigint columns are counters and minor units of money here: all below 2^53, and a string would corrupt arithmetic.
types.setTypeParser(types.builtins.INT8, (text) => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`integer beyond 2^53 in the database: ${text}`)
  return value
})

export interface DatabaseOptions {
  /** Address with the service's own role; its search path is the service's schema. */
  url: string
  poolSize: number
  /** How long work waits for a connection, in milliseconds; 3 seconds by default. */
  connectMs?: number
  /** How long the result of a statement is awaited, in milliseconds; 12 seconds by default. */
  resultMs?: number
  /** Rejects a connection that must not be used now: it is closed, and its caller gets the error. */
  accept?: (client: PostgresPoolClient) => Promise<void>
  /** Shown in pg_stat_activity. */
  name: string
  log: Log
}

const CONNECT_MS = 3000
/** The server ends a statement after this time. */
const STATEMENT_MS = 10_000
/** A server that has not even reported that it ended the statement is gone: its machine failed, or the network. */
const RESULT_MS = 12_000
/** In a transaction that sets its own time limit for statements, `OWN_TIME_LIMIT`. */
const LONG_RESULT_MS = 130_000
/** Without it Linux asks after two hours whether the other side of an idle connection still exists. */
const KEEP_ALIVE_MS = 10_000

/**
 * Opens the service's pool. Connections are made on demand; every statement, lock and idle transaction has a time
 * limit. When a server does not reply, or accepts no writes any more, all connections to it are given up.
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
    // Sends `begin` together with the first statement of its transaction, see `preparing`.
    pipeline: true,
  })
  pool.on('error', (error) => options.log.warn({ err: error }, 'an idle database connection was lost'))
  // The pool listens to idle connections only: without this listener, a connection lost in the middle of its work would
  // end the process.
  pool.on('connect', (client) => {
    client.on('error', (error) => options.log.warn({ err: error }, 'a database connection was lost'))
  })
  const gradual = new GradualPool(pool, { size: options.poolSize, waitMs })
  const unwatch = [databaseConnections.watch(pool), databaseWaiting.watch(gradual)]
  const end = () => {
    for (const stop of unwatch) stop()
  }
  const ready = preparing(pool, gradual, end)
  return new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: options.accept ? checking(ready, options.accept) : ready }),
  })
}

/** How many different statements a connection keeps prepared; further ones are sent unprepared. */
const PREPARED_LIMIT = 400

/**
 * A statement with this comment is sent without a name: PostgreSQL then plans it for its values each time, for cases
 * where a generic plan would be far worse. It costs a few tenths of a millisecond.
 */
const REPLAN = '/* replan */'

const BEGIN_SNAPSHOT = 'begin isolation level repeatable read, read only'
/** Nothing was written: the caller does not depend on the outcome. */
const END_SNAPSHOT = 'commit and no chain'
/** Statements that leave in one packet with the next one; their results are not awaited. */
const UNAWAITED = new Set(['begin', BEGIN_SNAPSHOT, END_SNAPSHOT])

const BEGUN = { command: 'BEGIN' as const, rowCount: null, rows: [] }

/** How long its result is awaited is missing in the types of pg. */
interface TimedQuery extends QueryConfig {
  query_timeout?: number
}

/** A statement with this text raises its time limit for the rest of its transaction. */
const OWN_TIME_LIMIT = `set_config('statement_timeout'`

/**
 * Names every statement after its text, so that Postgres parses and plans it once for each connection, and does not
 * wait for the result of `begin`: it leaves in one packet with the statement that follows (docs/decisions/0004).
 *
 * A connection whose server is gone, or was replaced by another and accepts no writes any more, is closed, and so are
 * the others that were opened before (docs/decisions/0095).
 */
function preparing(pool: Pool, gradual: GradualPool, onEnd: () => void): PostgresPool {
  const nameOf = statementNames()
  const openedAt = new WeakMap<PoolClient, number>()
  pool.on('connect', (client) => openedAt.set(client, performance.now()))
  let givenUpAt = 0
  const isGivenUp = (client: PoolClient) => (openedAt.get(client) ?? 0) < givenUpAt
  const wrapped = new WeakMap<PoolClient, PostgresPoolClient>()
  const wrap = (client: PoolClient): PostgresPoolClient => {
    const known = wrapped.get(client)
    if (known) return known
    const made: PostgresPoolClient = Object.create(client)
    const query = client.query.bind(client)
    let isLong = false
    Object.assign(made, {
      query: (text: unknown, values?: unknown[]) => {
        if (typeof text !== 'string') return Reflect.apply(query, undefined, [text])
        if (UNAWAITED.has(text)) {
          // A connection on which this fails is broken: the next statement reports it.
          query(text).catch(() => {})
          return Promise.resolve(BEGUN)
        }
        if (text.includes(OWN_TIME_LIMIT)) isLong = true
        const statement: TimedQuery = { text }
        if (values !== undefined) statement.values = values
        const name = nameOf(text, values)
        if (name !== undefined) statement.name = name
        if (isLong) statement.query_timeout = LONG_RESULT_MS
        return tracedQuery(text, () => query(statement)).catch((error: unknown) => {
          if (isOfLostServer(error)) givenUpAt = performance.now()
          throw error
        })
      },
      release: (broken?: boolean | Error) => {
        isLong = false
        client.release(broken === undefined || broken === false ? isGivenUp(client) : broken)
      },
    })
    wrapped.set(client, made)
    return made
  }
  return {
    connect: async () => {
      for (;;) {
        const client = await tracedConnect(pool, () => gradual.connect())
        if (!isGivenUp(client)) return wrap(client)
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

/** @returns the name under which a statement is prepared; none for those that are planned each time */
function statementNames(): (text: string, values: unknown[] | undefined) => string | undefined {
  const names = new Map<string, string>()
  return (text, values) => {
    if (values === undefined || values.length === 0 || text.includes(REPLAN)) return undefined
    const known = names.get(text)
    if (known !== undefined || names.size >= PREPARED_LIMIT) return known
    const name = createHash('sha1').update(text).digest('base64url')
    names.set(text, name)
    return name
  }
}

/** Any Kysely transaction, whatever its tables: what `publish` and the inbox need to know of one. */
export type AnyTransaction = Pick<Transaction<unknown>, 'getExecutor' | 'isTransaction'>

const commitListeners = new WeakMap<object, () => void>()
const withEvents = new WeakSet<object>()
const afterwards = new WeakMap<object, (() => void)[]>()

/**
 * Runs a callback when the transaction has committed: counting, for example, which no rollback undoes. Only in
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
