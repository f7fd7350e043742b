import { ExportResultCode, type ExportResult } from '@opentelemetry/core'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import type { Log } from '../log.ts'

/**
 * Logs once that the collector cannot be reached and once that it is back, however many batches are dropped in between.
 */
export function reportingExporter(inner: SpanExporter, log: Log): SpanExporter {
  let dropped = 0

  function note(spans: number, result: ExportResult): void {
    if (result.code !== ExportResultCode.SUCCESS) {
      if (dropped === 0) log.warn({ err: result.error }, 'the collector cannot be reached; traces are dropped')
      dropped += spans
    } else if (dropped > 0) {
      log.info({ dropped }, 'the collector accepts traces again')
      dropped = 0
    }
  }

  return {
    export(spans: ReadableSpan[], done) {
      inner.export(spans, (result) => {
        note(spans.length, result)
        // Already reported: the processor would report it once more.
        done({ code: ExportResultCode.SUCCESS })
      })
    },
    shutdown: () => inner.shutdown(),
  }
}
