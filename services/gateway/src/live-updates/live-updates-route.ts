import type { FastifyInstance } from 'fastify'
import { clientNetwork } from '@storefront/http'
import { overloaded, tooMany, unauthenticated } from '../errors.ts'
import { requestContextOf } from '../front/request-context.ts'
import { contextHeaders } from '../front/send-error.ts'
import { consoleTokenOf } from '../sessions/console-token.ts'
import type { IdentifyCaller } from '../sessions/identify-caller.ts'
import type { LiveUpdates } from './live-updates.ts'

const CROWDED_RETRY_SECONDS = 30

/** Proxies must pass on each message immediately. */
const HEADERS = [
  'content-type',
  'text/event-stream; charset=utf-8',
  'cache-control',
  'private, no-store, no-transform',
  'x-accel-buffering',
  'no',
  'vary',
  'Origin',
  // Closed after the updates, so that the next request may reach another gateway.
  'connection',
  'close',
]

/**
 * Server-sent events with the names of what has changed in the shop, for as long as the session of the console lasts
 * (docs/decisions/0083).
 */
export function liveUpdatesRoute(
  app: FastifyInstance,
  { updates, identifyCaller }: { updates: LiveUpdates; identifyCaller: IdentifyCaller },
): void {
  app.get('/admin/console/updates', { exposeHeadRoute: false }, async ({ raw: request }, reply) => {
    const context = requestContextOf(request)
    const consoleToken = consoleTokenOf(request.headers, context.https)
    const identify = () => identifyCaller({ consoleToken }, clientNetwork(context.address))
    const actor = await identify()
    context.actor = actor
    if (actor.kind !== 'admin' || actor.sessionId === undefined) throw unauthenticated()
    const limit = updates.limitFor(actor.userId)
    if (limit === 'user') throw tooMany(CROWDED_RETRY_SECONDS)
    if (limit === 'gateway') throw overloaded()

    reply.hijack()
    const response = reply.raw
    // The client disconnected during the check of its session.
    if (response.destroyed) return
    response.writeHead(200, [...contextHeaders(context), ...HEADERS])
    const { userId, sessionId, permissions } = actor
    const isSignedIn = async () => (await identify()).kind === 'admin'
    updates.add({ userId, sessionId, permissions, isSignedIn }, response)
  })
}
