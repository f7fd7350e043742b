import type { FastifyInstance } from 'fastify'
import { lookup } from 'node:dns/promises'
import type { AddressInfo } from 'node:net'
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
import { firstConnections, openMessaging } from '@storefront/messaging'
import { registerGateway } from './app.ts'
import { GatewayConfig } from './config.ts'
import type { GatewayContext } from './context.ts'
import { BodyMemory } from './edge-cache/body-memory.ts'
import { EdgeCache } from './edge-cache/edge-cache.ts'
import { responseFetcher } from './edge-cache/fetch-response.ts'
import { Store } from './edge-cache/store.ts'
import { accessLog } from './front/access-log.ts'
import { createApp } from './front/create-app.ts'
import { edgeHeaders } from './front/edge-headers.ts'
import { watchLoad } from './front/load-shedding.ts'
import { storefrontCallers } from './front/storefront-key.ts'
import { timeoutsWith, type Timeouts } from './front/timeouts.ts'
import { cacheBytes, countRequests } from './front/request-metrics.ts'
import { openLiveUpdates } from './live-updates/live-updates.ts'
import type { StrictLimits } from './upstream/admit.ts'
import { openUpstreams } from './upstream/upstreams.ts'
import { GeneralLimit } from './rate-limit/general-limit.ts'
import { strictLimit } from './rate-limit/strict-limit.ts'
import { apiKeyReader } from './sessions/read-api-key.ts'
import { tokenReader } from './sessions/read-token.ts'
import { sessionState } from './sessions/session-state.ts'
import { signingKeys } from './sessions/signing-keys.ts'
import { identifyCaller } from './sessions/identify-caller.ts'

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
  const store = new Store(config.EDGE_CACHE_MB * 1024 * 1024)
  const unwatchStore = cacheBytes.watch(store)
  const context = openContext({ config, log, clock, timeouts, store })
  const { redis, messaging, upstreams } = context
  const app = createApp(context)
  const { consumers, timers } = await registerGateway(app, context)
  // A session can be checked with either of them; with none, every caller would be anonymous at first.
  await firstConnections({ messaging, redis })
  const url = await listen(app, config)
  log.info({ url }, 'listening')

  return {
    app,
    url,
    async stop() {
      await announceStop(app, config.STOP_DELAY_MS)
      await Promise.all(consumers.map((consumer) => consumer.stop()))
      const cut = setTimeout(() => app.server.closeAllConnections(), LAST_RESPONSES_MS)
      await app.close()
      clearTimeout(cut)
      await Promise.all([...timers.map((timer) => timer.stop()), upstreams.close(), messaging.close()])
      redis.disconnect()
      unwatchStore()
    },
  }
}

interface Given {
  config: GatewayConfig
  log: Log
  clock: Clock
  timeouts: Timeouts
  /** The responses of the edge cache. */
  store: Store
}

function openContext({ config, log, clock, timeouts, store }: Given): GatewayContext {
  const { NAMESPACE: namespace, REQUEST_TIMEOUT_MS: requestTimeoutMs } = config
  const redis = openRedis({ url: config.REDIS_URL, name: 'gateway', log })
  const messaging = openMessaging({ url: config.NATS_URL, service: 'gateway', namespace, log, requestTimeoutMs })
  const upstreams = openUpstreams(config)
  const sign = actorSigner(config.ACTOR_PRIVATE_KEY, clock)
  const shared = { redis, messaging, namespace, clock, log }
  const memory = new BodyMemory(timeouts.bufferedBytes)
  const fetchResponse = responseFetcher(upstreams, sign, clock, memory)
  const keys = signingKeys({ upstreams, clock, log })
  const sessions = sessionState(shared)
  const readToken = tokenReader(keys, clock)
  const readApiKey = apiKeyReader(shared)
  return {
    ...shared,
    config,
    timeouts,
    basePath: config.PUBLIC_BASE_PATH,
    trustedProxies: config.TRUST_PROXY,
    storefronts: config.STOREFRONT_ORIGINS,
    headers: edgeHeaders(config.STOREFRONT_ORIGINS),
    storefrontCaller: storefrontCallers(config.STOREFRONT_KEY),
    upstreams,
    sign,
    cache: new EdgeCache({ store, memory, fetchResponse, clock, canReceivePurges: () => messaging.isConnected() }),
    keys,
    sessions,
    identifyCaller: identifyCaller({ readToken, readApiKey, isOpen: sessions.isOpen }),
    limit: new GeneralLimit({ ...shared, name: 'general', limit: config.RATE_LIMIT_GENERAL }),
    providerLimit: new GeneralLimit({ ...shared, name: 'webhooks', limit: config.RATE_LIMIT_WEBHOOKS }),
    limits: strictLimits(config, shared),
    load: watchLoad(log, timeouts),
    updates: openLiveUpdates(log, timeouts.updates),
    accessLog: countRequests(accessLog(log)),
  }
}

function strictLimits(
  config: GatewayConfig,
  shared: { redis: RedisClient; namespace: string; clock: Clock },
): StrictLimits {
  const strict = (name: string, limit: number) => strictLimit({ ...shared, name, limit })
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
