import { createHash } from 'node:crypto'
import type { Duplex } from 'node:stream'
import type { PostgresPoolClient } from 'kysely'
import type { PoolClient, QueryConfig } from 'pg'
import { tracedQuery } from './trace-database.ts'

/** How many different statements a connection keeps prepared; further ones are sent unprepared. */
const PREPARED_LIMIT = 400

/**
 * A statement with this comment is sent without a name: PostgreSQL then plans it for its values each time, for cases
 * where a generic plan would be far worse. It costs a few tenths of a millisecond.
 */
const REPLAN = '/* replan */'

/**
 * As `selectAll` and `returningAll` write it. Sent without a name: when a migration adds a column, PostgreSQL rejects
 * each further run of such a statement on the connections that have prepared it.
 */
const ALL_COLUMNS = /^\s*select \*|returning \*\s*$/

/** Statements without values that are worth a name; most others, as `commit`, need no plan. */
const READS = /^\s*(?:select|with)\s[^;]*$/

export const BEGIN_SNAPSHOT = 'begin isolation level repeatable read, read only'
/** Nothing was written: the caller does not depend on the outcome. */
export const END_SNAPSHOT = 'commit and no chain'
/** Their results are not awaited. */
const BOUNDS = new Set(['begin', BEGIN_SNAPSHOT, END_SNAPSHOT])

/**
 * A statement with this comment has no result that its caller uses. In a transaction it is not awaited, and leaves in
 * one packet with the next statement or with the commit. Its failure is thrown there, so nothing may catch it before.
 */
const SENT_WITH_NEXT = '/* sent with the next */'

const NO_RESULT = { command: 'BEGIN' as const, rowCount: null, rows: [] }

/** How long a result is awaited in a transaction that sets its own limit, `OWN_TIME_LIMIT`. */
const LONG_RESULT_MS = 130_000

/** A statement with this text raises its time limit for the rest of its transaction. */
const OWN_TIME_LIMIT = `set_config('statement_timeout'`

/** The types of pg lack the time limit of a single query. */
interface TimedQuery extends QueryConfig {
  query_timeout?: number
}

/**
 * A connection as Kysely uses it: each statement has a name, so that PostgreSQL parses and plans it once, and some are
 * not awaited (docs/decisions/0004).
 * @param options.nameOf from `statementNames`
 * @param options.onFailure is called with the error of each statement
 * @param options.isGivenUp whether the connection is closed when it is released
 */
export function preparedClient(
  client: PoolClient,
  options: { nameOf: NameOf; onFailure: (error: unknown) => void; isGivenUp: () => boolean },
): PostgresPoolClient {
  const query = client.query.bind(client)
  const gather = gatherWrites(client.connection.stream)
  let isLong = false
  let isBegun = false
  let failure = none

  async function send(text: string, values: unknown[] | undefined): Promise<unknown> {
    if (text.includes(OWN_TIME_LIMIT)) isLong = true
    const statement: TimedQuery = { text }
    if (values !== undefined) statement.values = values
    const name = options.nameOf(text, values)
    if (name !== undefined) statement.name = name
    if (isLong) statement.query_timeout = LONG_RESULT_MS
    try {
      return await tracedQuery(text, () => query(statement))
    } catch (error) {
      options.onFailure(error)
      throw error
    }
  }

  async function execute(text: unknown, values?: unknown[]): Promise<unknown> {
    gather()
    if (typeof text !== 'string') return Reflect.apply(query, undefined, [text])
    if (BOUNDS.has(text)) {
      isBegun = text !== END_SNAPSHOT
      failure = none
      // A connection on which this fails is broken: the next statement reports it.
      query(text).catch(() => {})
      return NO_RESULT
    }
    const result = send(text, values)
    const before = failure
    if (isBegun && text.includes(SENT_WITH_NEXT)) {
      failure = firstFailure(before, result)
      return NO_RESULT
    }
    failure = none
    if (text === 'commit' || text === 'rollback') isBegun = false
    return text === 'rollback' || before === none ? result : resultUnless(before, result)
  }

  const made: PostgresPoolClient = Object.create(client)
  return Object.assign(made, {
    query: execute,
    release: (broken?: boolean | Error) => {
      isLong = false
      isBegun = false
      failure = none
      client.release(broken === undefined || broken === false ? options.isGivenUp() : broken)
    },
  })
}

const none: Promise<unknown> = Promise.resolve(undefined)

/** @returns the error of the first of the two that failed */
async function firstFailure(before: Promise<unknown>, result: Promise<unknown>): Promise<unknown> {
  const [earlier, own] = await Promise.allSettled([before, result])
  if (earlier.status === 'fulfilled' && earlier.value !== undefined) return earlier.value
  return own.status === 'rejected' ? own.reason : undefined
}

/**
 * @param before the error of a statement that was not awaited: because of it the others failed, and a commit wrote
 * nothing
 */
async function resultUnless<Result>(before: Promise<unknown>, result: Promise<Result>): Promise<Result> {
  const failure = await firstFailure(before, result)
  if (failure !== undefined) throw failure
  return result
}

/**
 * @returns a function that holds back what is written from then on, until no promise is left to continue: statements
 * that do not wait for each other are one write
 */
function gatherWrites(stream: Duplex): () => void {
  let isGathering = false
  return () => {
    if (isGathering) return
    isGathering = true
    stream.cork()
    process.nextTick(() => {
      isGathering = false
      stream.uncork()
    })
  }
}

type NameOf = (text: string, values: unknown[] | undefined) => string | undefined

/** @returns the name under which a statement is prepared; none for those that are parsed each time */
export function statementNames(): NameOf {
  const names = new Map<string, string>()
  return (text, values) => {
    if (text.includes(REPLAN) || ((values?.length ?? 0) === 0 && !READS.test(text))) return undefined
    const known = names.get(text)
    if (known !== undefined || names.size >= PREPARED_LIMIT || ALL_COLUMNS.test(text)) return known
    const name = createHash('sha1').update(text).digest('base64url')
    names.set(text, name)
    return name
  }
}
