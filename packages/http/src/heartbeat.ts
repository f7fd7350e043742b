import type { FastifyInstance } from 'fastify'
import type { ServerResponse } from 'node:http'

/**
 * A long-lived request by which a gateway learns that this replica is about to stop. The response begins at once and
 * ends at the stop, or with the process: no request has to fail to find out. Its lines show that the machine of the
 * replica is still there, which nothing reports when it vanishes from the network. The path and the header keep
 * their first names, because gateways and services of other versions know these.
 */
export const HEARTBEAT_PATH = '/internal/lifeline'
/** The header of the response with the milliseconds between two lines. */
export const HEARTBEAT_INTERVAL_HEADER = 'lifeline-interval'
const INTERVAL_MS = 600

/** Adds the route, and ends every response of it when the app begins to stop. */
export function addHeartbeatRoute(app: FastifyInstance): void {
  const held = new Set<ServerResponse>()
  const lines = setInterval(() => {
    for (const response of held) response.write('\n')
  }, INTERVAL_MS).unref()
  app.decorate('isStopping', false)
  app.decorate('beginStop', () => {
    app.isStopping = true
    for (const response of held) response.end()
    held.clear()
  })
  app.addHook('preClose', (done) => {
    clearInterval(lines)
    app.beginStop()
    done()
  })
  const options = { config: { access: 'internal' }, schema: { hide: true }, exposeHeadRoute: false } as const
  app.get(HEARTBEAT_PATH, options, (_request, reply) => {
    if (app.isStopping) return reply.code(503).send()
    reply.hijack()
    const { raw } = reply
    held.add(raw)
    raw.once('close', () => held.delete(raw))
    // The connection is used for nothing else: a request on it after the end would fail.
    const headers = { connection: 'close', 'content-type': 'text/plain', [HEARTBEAT_INTERVAL_HEADER]: INTERVAL_MS }
    raw.writeHead(200, headers).flushHeaders()
    return reply
  })
}
