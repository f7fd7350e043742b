import { createServer } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { listen } from '@storefront/tools/listen'

const Value = z.looseObject({ stringValue: z.string().optional(), intValue: z.coerce.number().optional() })
const Attributes = z
  .array(z.object({ key: z.string(), value: Value }))
  .default([])
  .transform((list) => Object.fromEntries(list.map(({ key, value }) => [key, value.stringValue ?? value.intValue])))
const Span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  attributes: Attributes,
  links: z.array(z.object({ traceId: z.string(), spanId: z.string() })).default([]),
})
const Export = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: Attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(Span) })),
    }),
  ),
})

export type ReceivedSpan = z.output<typeof Span> & { service: string }

export interface OtlpReceiver {
  /** The address for OTEL_EXPORTER_OTLP_ENDPOINT. */
  url: string
  spans: ReceivedSpan[]
  /** All requests as they were received. */
  text: () => string
  requests: () => number
  close: () => Promise<void>
}

/**
 * A collector that keeps what it receives: OTLP over HTTP, in JSON.
 * @param behavior `hang` accepts every request and responds to none
 */
export async function openOtlpReceiver(behavior: 'take' | 'hang' = 'take'): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = []
  const bodies: string[] = []
  let requests = 0
  const server = createServer((request, response) => {
    requests++
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (behavior === 'hang') return
      const bytes = Buffer.concat(chunks)
      const body = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString()
      bodies.push(body)
      for (const { resource, scopeSpans } of Export.parse(JSON.parse(body)).resourceSpans) {
        const service = String(resource.attributes['service.name'])
        spans.push(...scopeSpans.flatMap((scope) => scope.spans.map((span) => ({ ...span, service }))))
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  const { url, close } = await listen(server)
  return {
    url,
    spans,
    text: () => bodies.join('\n'),
    requests: () => requests,
    close,
  }
}
