import compress from '@fastify/compress'
import type { FastifyInstance } from 'fastify'
import { constants } from 'node:zlib'
import { CatalogChanged, OrdersChanged, PurgeCache, SessionsEnded, SigningKeysChanged } from '@storefront/contracts'
import { subscribeToSignal } from '@storefront/messaging'
import type { Registered } from '@storefront/service'
import { consoleFileRoute, consolePage, consoleScreenPage, readConsole } from './console/console.ts'
import type { GatewayContext } from './context.ts'
import { docsPage, docsScriptRoute, docsViewerRoute, readViewer } from './docs/docs.ts'
import { openapiRoute } from './docs/openapi.ts'
import { addConnectionLimits } from './front/http-server.ts'
import { addRequestPipeline } from './front/request-pipeline.ts'
import { addResponseHeaders } from './front/add-response-headers.ts'
import { gatewayReadinessRoute, healthRoute, readinessRoute } from './health/health.ts'
import { liveUpdatesRoute } from './live-updates/live-updates-route.ts'
import { startPageRoute } from './start-page/start-page.ts'
import { admitRequests } from './upstream/admit.ts'
import { forwardRequests } from './upstream/forward.ts'

/**
 * Registers every hook, signal, route and timer of the gateway. A request passes the hooks in this order. Then it is
 * for one of the gateway's own routes, or it is forwarded to the service that `front/routes.ts` names.
 */
export async function registerGateway(app: FastifyInstance, context: GatewayContext): Promise<Registered> {
  const { timeouts, trustedProxies, limit, providerLimit, load, keys, updates } = context
  const site = readConsole(context.basePath)
  const viewer = readViewer()

  subscribeToSignals(context)

  await app.register(compress, {
    global: false,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  })
  addConnectionLimits(app, timeouts, trustedProxies)
  addRequestPipeline(app, context)
  addResponseHeaders(app)

  healthRoute(app) //               GET    /healthz
  readinessRoute(app, context) //   GET    /readyz
  gatewayReadinessRoute(app) //     GET    /readyz/gateway
  openapiRoute(app, context) //     GET    /openapi.json
  docsPage(app, context, viewer) // GET    /docs
  docsScriptRoute(app, context) //  GET    /docs/start.js
  docsViewerRoute(app, viewer) //   GET    /docs/:name
  liveUpdatesRoute(app, context) // GET    /admin/console/updates
  consolePage(app, site) //         GET    /console
  consoleScreenPage(app, site) //   GET    /console/*
  consoleFileRoute(app, site) //    GET    /console/assets/:name
  startPageRoute(app, context) //   GET    /

  await app.register(async (forwarding) => {
    admitRequests(forwarding, context)
    await forwardRequests(forwarding, context)
  })

  return { consumers: [updates], timers: [limit, providerLimit, load, keys] }
}

/** The signals of services. They are missed while NATS is down: then all that they may concern is renewed. */
function subscribeToSignals(context: GatewayContext): void {
  const { messaging, cache, keys, sessions, updates } = context
  subscribeToSignal(context, PurgeCache, ({ keys: tags, againAfterMs }) => cache.purge(tags, againAfterMs))
  subscribeToSignal(context, SigningKeysChanged, () => keys.refresh())
  subscribeToSignal(context, SessionsEnded, ({ ids }) => sessions.end(ids))
  subscribeToSignal(context, SessionsEnded, ({ ids }) => updates.endSessions(ids))
  subscribeToSignal(context, OrdersChanged, ({ topics }) => updates.changed(topics))
  subscribeToSignal(context, CatalogChanged, ({ topics }) => updates.changed(topics))

  void messaging.opened.then(() => cache.clear()).catch(() => {})
  messaging.onReconnect(() => {
    cache.clear()
    keys.refresh()
    updates.allChanged()
  })
}
