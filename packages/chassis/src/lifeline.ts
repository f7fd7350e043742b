import type { FastifyInstance } from 'fastify'
import type { ServerResponse } from 'node:http'

/**
 * Where a gateway hears that this copy is about to stop. The answer begins at once and ends then, or with the process: nobody
 * has to find out by a request of his own that breaks off.
 */
export const LIFELINE_PATH = '/internal/lifeline'

/** Adds the route, and has every lifeline end when the app is told to stop. */
export function holdLifelines(app: FastifyInstance): void {
  const held = new Set<ServerResponse>()
  app.decorate('isStopping', false)
  app.decorate('beginStop', () => {
    app.isStopping = true
    for (const response of held) response.end()
  })
  app.addHook('preClose', (done) => {
    app.beginStop()
    done()
  })
  const options = { config: { access: 'internal' }, schema: { hide: true }, exposeHeadRoute: false } as const
  app.get(LIFELINE_PATH, options, (_request, reply) => {
    if (app.isStopping) return reply.code(503).send()
    reply.hijack()
    const { raw } = reply
    held.add(raw)
    raw.once('close', () => held.delete(raw))
    // Its connection is for nothing else: a request that came on it after the end would break off.
    raw.writeHead(200, { connection: 'close', 'content-type': 'text/plain' }).flushHeaders()
    return reply
  })
}
