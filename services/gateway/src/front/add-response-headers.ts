import type { FastifyInstance } from 'fastify'
import { allowanceHeaders } from '../rate-limit/allowance.ts'
import { requestContextOf } from './request-context.ts'

/** Adds the headers that every response of the framework has. */
export function addResponseHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { headers, requestId } = requestContextOf(request.raw)
    reply.headers(headers.record).header('x-request-id', requestId).header('vary', 'Origin')
    done()
  })
  app.addHook('onSend', (request, reply, _payload, done) => {
    // Set as late as possible, because a stricter limit may have replaced the general one.
    const { allowance, cache: outcome } = requestContextOf(request.raw)
    if (allowance) for (const [name, value] of pairs(allowanceHeaders(allowance))) reply.header(name, value)
    if (outcome) reply.header('x-cache', outcome)
    done()
  })
}

function pairs(flat: readonly string[]): [string, string][] {
  return flat.flatMap((name, index): [string, string][] => (index % 2 === 0 ? [[name, flat[index + 1] ?? '']] : []))
}
