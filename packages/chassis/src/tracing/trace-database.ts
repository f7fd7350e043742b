import { SpanKind } from '@opentelemetry/api'
import { activeSpan, traced } from './spans.ts'
import { querySummary } from './query-summary.ts'

/** Runs a statement in a span. Its text has `$1` where its values are, which stay out. */
export function tracedQuery<Result>(text: string, run: () => Promise<Result>): Promise<Result> {
  if (!activeSpan()?.isRecording()) return run()
  const summary = querySummary(text)
  const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': summary, 'db.query.text': text }
  return traced(summary, { kind: SpanKind.CLIENT, attributes }, run)
}

/** Takes a connection in a span when there is none at hand: it has to be waited for, or made. */
export function tracedConnect<Connection>(
  pool: { idleCount: number; waitingCount: number },
  connect: () => Promise<Connection>,
): Promise<Connection> {
  if (pool.idleCount > 0 || !activeSpan()?.isRecording()) return connect()
  const attributes = { 'db.system.name': 'postgresql', 'storefront.database.waiting': pool.waitingCount }
  return traced('wait for a connection', { attributes }, connect)
}
