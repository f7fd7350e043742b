import { SpanKind } from '@opentelemetry/api'
import { activeSpan, traced } from '@storefront/service'
import { querySummary } from './query-summary.ts'

/** Runs a statement in a span. Its text has `$1` in place of values, which are not recorded. */
export function tracedQuery<Result>(text: string, run: () => Promise<Result>): Promise<Result> {
  if (!activeSpan()?.isRecording()) return run()
  const summary = querySummary(text)
  const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': summary, 'db.query.text': text }
  return traced(summary, { kind: SpanKind.CLIENT, attributes }, run)
}

/** Takes a connection in a span when none is idle: the caller has to wait for one, or for a new one. */
export function tracedConnect<Connection>(
  pool: { idleCount: number; waitingCount: number },
  connect: () => Promise<Connection>,
): Promise<Connection> {
  if (pool.idleCount > 0 || !activeSpan()?.isRecording()) return connect()
  const attributes = { 'db.system.name': 'postgresql', 'storefront.database.waiting': pool.waitingCount }
  return traced('wait for a connection', { attributes }, connect)
}
