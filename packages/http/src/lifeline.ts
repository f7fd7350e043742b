import type { FastifyInstance } from 'fastify'
import type { ServerResponse } from 'node:http'

/**
 * A long-lived request by which a gateway learns that this replica is about to stop. The response begins at once and
 * ends at the stop, or with the process: no request has to fail to find out.
 */
export const LIFELINE_PATH = '/internal/lifeline'

/** Adds the route, and ends every lifeline when the app begins to stop. */
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
    // Its connection is for nothing else: a request on it after the end would fail.
    raw.writeHead(200, { connection: 'close', 'content-type': 'text/plain' }).flushHeaders()
    return reply
  })
}
