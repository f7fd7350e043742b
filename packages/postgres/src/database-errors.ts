import { DependencyUnavailable, errorCode } from '@storefront/service'

/** 40001 serialization failure, 40P01 deadlock: another transaction went first, this one can be run again. */
export function isSerializationFailure(error: unknown): boolean {
  const state = errorCode(error)
  return state === '40001' || state === '40P01'
}

const NO_RESULT = 'Query read timeout'
/** The server is a standby, since a failover or because the address leads to the wrong one. */
const READ_ONLY = '25006'

/** Whether an error says that the server of the connection is gone, or is not the primary. */
export function isOfLostServer(error: unknown): boolean {
  return errorCode(error) === READ_ONLY || (error instanceof Error && error.message === NO_RESULT)
}

/**
 * Whether an error means that a server could not be reached, is shutting down or accepts no writes, rather than a fault
 * in the statement.
 */
export function isOutage(error: unknown): boolean {
  if (error instanceof DependencyUnavailable || isOfLostServer(error)) return true
  if (!(error instanceof Error)) return false
  const state = errorCode(error)
  if (state !== undefined && /^(08|57P|53|E(CONN|PIPE|HOST|NET|TIMEDOUT|NOTFOUND|AI_AGAIN))/.test(state)) return true
  return /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/i.test(
    error.message,
  )
}

/** Whether a database time limit was exceeded: 55P03 for a lock, 57014 for a statement. */
export function isDatabaseTimeout(error: unknown): boolean {
  const state = errorCode(error)
  return state === '55P03' || state === '57014'
}

/** 55P03: another transaction held a lock for too long. 40P01: PostgreSQL canceled this one to end a deadlock. */
export function isLockFailure(error: unknown): boolean {
  const state = errorCode(error)
  return state === '55P03' || state === '40P01'
}

/** The name of the violated constraint, if the error is a constraint violation. */
export function violatedConstraint(error: unknown): string | undefined {
  if (!errorCode(error)?.startsWith('23')) return undefined
  return error instanceof Error && 'constraint' in error && typeof error.constraint === 'string'
    ? error.constraint
    : undefined
}
