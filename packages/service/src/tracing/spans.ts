import {
  context,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type Link,
  type Span,
  type SpanOptions,
  type Tracer,
} from '@opentelemetry/api'
import { errorCode } from '../error-code.ts'
import { HttpError } from '../http-error.ts'

export { SpanKind, SpanStatusCode, type Span } from '@opentelemetry/api'

/** Absent while tracing is off: every traced operation checks for it first, and then does nothing else. */
let tracer: Tracer | undefined

export function useTracer(chosen: Tracer): void {
  tracer = chosen
}

export function isTracing(): boolean {
  return tracer !== undefined
}

/** The span that the current code works for; undefined when there is none or tracing is off. */
export function activeSpan(): Span | undefined {
  return tracer && trace.getActiveSpan()
}

/**
 * Starts a span at the edge of the process. The caller must end it.
 * @param parent the caller's trace context (`parentFrom`); without it a trace begins here
 * @returns undefined when tracing is off
 */
export function startSpan(name: string, options: SpanOptions, parent: Context = ROOT_CONTEXT): Span | undefined {
  return tracer?.startSpan(name, options, parent)
}

/**
 * Starts a span beneath another one, but only beneath a recorded span.
 * @returns undefined when tracing is off, and beneath a span that is not recorded
 */
export function startChild(name: string, options: SpanOptions, parent = activeSpan()): Span | undefined {
  return parent?.isRecording() ? tracer?.startSpan(name, options, trace.setSpan(ROOT_CONTEXT, parent)) : undefined
}

/** Runs `work` within a span. Without one it simply runs. */
export function inSpan<Result>(span: Span | undefined, work: () => Result): Result {
  return span ? context.with(trace.setSpan(context.active(), span), work) : work()
}

/** For work that happens to be started by a request and serves others as well. */
export function withoutSpan<Result>(work: () => Result): Result {
  return tracer ? context.with(ROOT_CONTEXT, work) : work()
}

/** Runs `work` in a span of its own beneath the active one. Rejects as `work` does. */
export function traced<Result>(name: string, options: SpanOptions, work: () => Promise<Result>): Promise<Result> {
  return finished(startChild(name, options), work)
}

/** Runs `work` in a span that begins a trace, or continues that of `parent`. Rejects as `work` does. */
export function tracedRoot<Result>(
  name: string,
  options: SpanOptions,
  work: (span: Span | undefined) => Promise<Result>,
  parent?: Context,
): Promise<Result> {
  const span = startSpan(name, options, parent)
  return finished(span, () => work(span))
}

/**
 * Runs work that is done once for several callers: beneath the first of them that is recorded, with links to the
 * others.
 * @param callers the spans that were active at the callers
 */
export function tracedBatch<Result>(
  name: string,
  callers: readonly (Span | undefined)[],
  work: () => Promise<Result>,
): Promise<Result> {
  const [first, ...others] = callers.filter((span) => span?.isRecording() === true)
  if (!first) return withoutSpan(work)
  const links: Link[] = others.flatMap((span) => (span ? [{ context: span.spanContext() }] : []))
  return finished(startChild(name, { links }, first), work)
}

async function finish<Result>(span: Span, work: () => Promise<Result>): Promise<Result> {
  try {
    return await inSpan(span, work)
  } catch (error) {
    failSpan(span, error)
    throw error
  } finally {
    span.end()
  }
}

function finished<Result>(span: Span | undefined, work: () => Promise<Result>): Promise<Result> {
  return span ? finish(span, work) : work()
}

/** Records an error by its code or class: a message may quote user input. */
export function failSpan(span: Span | undefined, error: unknown): void {
  if (!span) return
  span.setAttribute('error.type', errorType(error))
  // An error that the caller caused is an ordinary outcome, not a failed span.
  if (!(error instanceof HttpError) || error.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
}

function errorType(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return errorCode(error) ?? error.name
}

/** For log lines; undefined for a trace that is not recorded. */
export function sampledTraceId(span: Span | undefined): string | undefined {
  const spanContext = span?.spanContext()
  return spanContext && isSampled(spanContext.traceFlags) ? spanContext.traceId : undefined
}

export function isSampled(flags: number): boolean {
  return (flags & TraceFlags.SAMPLED) !== 0
}
