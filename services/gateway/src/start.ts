import type { FastifyInstance } from 'fastify'
import { lookup } from 'node:dns/promises'
import type { AddressInfo } from 'node:net'
import { CatalogChanged, OrdersChanged, PurgeCache, SessionsEnded, SigningKeysChanged } from '@storefront/contracts'
import {
  actorSigner,
  announceStop,
  defineService,
  openRedis,
  systemClock,
  type Clock,
  type Log,
  type RedisClient,
} from '@storefront/service'
import { firstConnections, subscribeToSignal, openMessaging, type Messaging } from '@storefront/messaging'
import { createGateway } from './app.ts'
import { GatewayConfig } from './config.ts'
import { BodyMemory } from './edge-cache/body-memory.ts'
import { EdgeCache } from './edge-cache/edge-cache.ts'
import { responseFetcher, type FetchResponse } from './edge-cache/fetch-response.ts'
import { Store } from './edge-cache/store.ts'
import { accessLog } from './front/access-log.ts'
import { edgeHeaders } from './front/edge-headers.ts'
import { watchLoad } from './front/load-shedding.ts'
import { storefrontCallers } from './front/storefront-key.ts'
import { timeoutsWith, type Timeouts } from './front/timeouts.ts'
import { cacheBytes, countRequests } from './front/request-metrics.ts'
import { openLiveUpdates, type LiveUpdates } from './live-updates/live-updates.ts'
import type { StrictLimits } from './upstream/admit.ts'
import { openUpstreams, type Upstreams } from './upstream/upstreams.ts'
import { GeneralLimit } from './rate-limit/general-limit.ts'
import { strictLimit } from './rate-limit/strict-limit.ts'
import { apiKeyReader } from './sessions/read-api-key.ts'
import { tokenReader } from './sessions/read-token.ts'
import { sessionState } from './sessions/session-state.ts'
import { signingKeys, type SigningKeys } from './sessions/signing-keys.ts'
import { identifyCaller, type IdentifyCaller } from './sessions/identify-caller.ts'

export interface RunningGateway {
  app: FastifyInstance
  /** The address it listens on, without a base path. */
  url: string
  stop(): Promise<void>
}

/** Responses on busy connections get this long after the stop; then they are cut. */
const LAST_RESPONSES_MS = 8000
/** The backlog of connections. When many clients connect at once, those beyond it retry only after seconds. */
const BACKLOG = 4096

export const service = defineService('gateway', GatewayConfig, startGateway)

/** Connects to its dependencies, none of which has to be up yet, and starts to listen. */
export async function startGateway(
  config: GatewayConfig,
  log: Log,
  clock: Clock = systemClock,
  timeouts: Timeouts = { ...timeoutsWith(config.RATE_LIMIT_GENERAL), lateMs: config.OVERLOAD_DELAY_MS },
): Promise<RunningGateway> {
  const { NAMESPACE: namespace, REQUEST_TIMEOUT_MS: requestTimeoutMs } = config
  const redis = openRedis({ url: config.REDIS_URL, name: 'gateway', log })
  const messaging = openMessaging({ url: config.NATS_URL, service: 'gateway', namespace, log, requestTimeoutMs })
  const upstreams = openUpstreams(config)
  const sign = actorSigner(config.ACTOR_PRIVATE_KEY, clock)
  const context = { redis, messaging, namespace, clock, log }
  const memory = new BodyMemory(timeouts.bufferedBytes)
  const fetchResponse = responseFetcher(upstreams, sign, clock, memory)
  const { cache, unwatchStore } = openEdgeCache(config, context, { fetchResponse, memory })
  const { identify, keys } = callerIdentification(upstreams, context)
  const limit = new GeneralLimit({ ...context, name: 'general', limit: config.RATE_LIMIT_GENERAL })
  const providerLimit = new GeneralLimit({ ...context, name: 'webhooks', limit: config.RATE_LIMIT_WEBHOOKS })
  const load = watchLoad(log, timeouts)
  const updates = followChanges(openLiveUpdates(log, timeouts.updates), context)

  const app = await createGateway({
    config,
    headers: edgeHeaders(config.STOREFRONT_ORIGINS),
    storefrontCaller: storefrontCallers(config.STOREFRONT_KEY),
    limit,
    providerLimit,
    limits: strictLimits(config, context),
    load,
    timeouts,
    cache,
    log: countRequests(accessLog(log)),
    reportFault: (error, request) => log.error({ err: error, requestId: request?.requestId }, 'a request failed'),
    upstreams,
    sign,
    clock,
    identifyCaller: identify,
    updates,
  })
  // A session can be checked with either of them; with none, every caller would be anonymous at first.
  await firstConnections({ messaging, redis })
  const url = await listen(app, config)
  log.info({ url }, 'listening')

  return {
    app,
    url,
    async stop() {
      await announceStop(app, config.STOP_DELAY_MS)
      await updates.stop()
      const cut = setTimeout(() => app.server.closeAllConnections(), LAST_RESPONSES_MS)
      await app.close()
      clearTimeout(cut)
      const timers = [limit, providerLimit, load, keys].map((part) => part.stop())
      await Promise.all([...timers, upstreams.close(), messaging.close()])
      redis.disconnect()
      unwatchStore()
    },
  }
}

interface Context {
  redis: RedisClient
  messaging: Messaging
  namespace: string
  clock: Clock
  log: Log
}

/** The cache of public responses, which the services purge by a signal. */
function openEdgeCache(
  config: GatewayConfig,
  { messaging, clock, log }: Context,
  parts: { fetchResponse: FetchResponse; memory: BodyMemory },
): { cache: EdgeCache; unwatchStore: () => void } {
  const store = new Store(config.EDGE_CACHE_MB * 1024 * 1024)
  const unwatchStore = cacheBytes.watch(store)
  const cache = new EdgeCache({ ...parts, store, clock, canReceivePurges: () => messaging.isConnected() })
  subscribeToSignal({ messaging, log }, PurgeCache, ({ keys, againAfterMs }) => {
    cache.purge(keys)
    // Until then catalog may read from a standby that does not have the change yet.
    if (againAfterMs !== undefined) setTimeout(() => cache.purge(keys), againAfterMs).unref()
  })
  // While NATS was down a purge may have been missed.
  void messaging.opened.then(() => cache.clear()).catch(() => {})
  messaging.onReconnect(() => cache.clear())
  return { cache, unwatchStore }
}

/** Passes the signals of services on to consoles. Signals are missed while NATS is down. */
function followChanges(updates: LiveUpdates, { messaging, log }: Context): LiveUpdates {
  for (const signal of [OrdersChanged, CatalogChanged])
    subscribeToSignal({ messaging, log }, signal, ({ topics }) => updates.changed(topics))
  subscribeToSignal({ messaging, log }, SessionsEnded, ({ ids }) => updates.endSessions(ids))
  messaging.onReconnect(() => updates.allChanged())
  return updates
}

/** Determines the callers of requests. The public keys of identity are read again at its signal. */
function callerIdentification(upstreams: Upstreams, context: Context): { identify: IdentifyCaller; keys: SigningKeys } {
  const { messaging, clock, log } = context
  const keys = signingKeys({ upstreams, clock, log })
  subscribeToSignal({ messaging, log }, SigningKeysChanged, () => keys.refresh())
  messaging.onReconnect(() => keys.refresh())
  const readToken = tokenReader(keys, clock)
  const readApiKey = apiKeyReader({ messaging, clock, log })
  const isOpen = sessionState(context)
  return { identify: identifyCaller({ readToken, readApiKey, isOpen }), keys }
}

function strictLimits(config: GatewayConfig, context: Context): StrictLimits {
  const strict = (name: string, limit: number) => strictLimit({ ...context, name, limit })
  return {
    auth: strict('auth', config.RATE_LIMIT_AUTH),
    reset: strict('reset', config.RATE_LIMIT_RESET),
    lookup: strict('lookup', config.RATE_LIMIT_LOOKUP),
    newsletter: strict('newsletter', config.RATE_LIMIT_NEWSLETTER),
    discount: strict('discount', config.RATE_LIMIT_DISCOUNT),
    checkout: strict('checkout', config.RATE_LIMIT_CHECKOUT),
  }
}

async function listen(app: FastifyInstance, config: GatewayConfig): Promise<string> {
  // Only the first address: for each further one of `localhost` the framework would open a server without these limits.
  const { address: host } = await lookup(config.HOST)
  await app.listen({ host, port: config.PORT, backlog: BACKLOG })
  return addressOf(app.server.address(), config.HOST)
}

function addressOf(address: AddressInfo | string | null, host: string): string {
  if (typeof address !== 'object' || address === null) throw new Error('the server has no address')
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${address.port}`
}
