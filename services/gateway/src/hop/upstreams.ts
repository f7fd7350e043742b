import { AsyncLocalStorage } from 'node:async_hooks'
import { Agent, type Dispatcher } from 'undici'
import type { ServiceName } from '@storefront/contracts'
import type { GatewayConfig } from '../config.ts'
import { serviceUnavailable } from '../refusals.ts'
import { upstreamInFlight } from './upstream-metrics.ts'

/** Requests under way to one service. More are refused at once: in a queue they would only wait to be refused later. */
const MAX_IN_FLIGHT = 512
/** Some more than that, because a connection whose request was cancelled takes a moment to go away. */
const CONNECTIONS_PER_SERVICE = 640
const CONNECT_TIMEOUT_MS = 1000
/** Shorter than the 75 s of the services, so that it is never a service that closes first. */
const KEEP_ALIVE_MS = 60_000

/** Where the request that is being passed on goes, and what cancels it. */
export interface Passage {
  origin: string
  path: string
  signal: AbortSignal | null
  /** In the place of a body that streams. */
  body?: Buffer
}

type Passed<Opaque> = Omit<Dispatcher.RequestOptions<Opaque>, 'signal'>
type Callback<Opaque> = (error: Error | null, data: Dispatcher.ResponseData<Opaque>) => void

export interface Upstreams {
  addressOf(service: ServiceName): string
  /** @returns a function to call when the request is over. @throws DependencyUnavailable when there are too many */
  begin(service: ServiceName): () => void
  agent: Agent
  passing: PassingClient
  close(): Promise<void>
}

/**
 * What the proxy library sends its requests with. They keep the very bytes of their address: the library would parse it
 * as a URL and write it anew, and an id must arrive as it was sent.
 */
export class PassingClient {
  readonly #agent: Agent
  readonly #passages = new AsyncLocalStorage<Passage>()

  constructor(agent: Agent) {
    this.#agent = agent
    // The library takes the function without its object.
    this.request = this.request.bind(this)
  }

  pass<Result>(passage: Passage, work: () => Result): Result {
    return this.#passages.run(passage, work)
  }

  request<Opaque = null>(options: Passed<Opaque>, callback: Callback<Opaque>): void
  /** Part of the library's type, which is never used. */
  request<Opaque = null>(options: Passed<Opaque>): Promise<never>
  request<Opaque = null>(options: Passed<Opaque>, callback?: Callback<Opaque>): Promise<never> | void {
    const passage = this.#passages.getStore()
    if (!passage || !callback) throw new Error('a request was passed on that did not come through the front door')
    this.#agent.request({ ...options, ...passage }, callback)
  }
}

export function openUpstreams(config: GatewayConfig): Upstreams {
  const addresses: Record<ServiceName, string> = {
    gateway: '',
    catalog: new URL(config.CATALOG_URL).origin,
    cart: new URL(config.CART_URL).origin,
    orders: new URL(config.ORDERS_URL).origin,
    identity: new URL(config.IDENTITY_URL).origin,
    notifier: new URL(config.NOTIFIER_URL).origin,
  }
  const agent = new Agent({
    connections: CONNECTIONS_PER_SERVICE,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    headersTimeout: config.UPSTREAM_TIMEOUT_MS,
    bodyTimeout: config.UPSTREAM_TIMEOUT_MS,
    connect: { timeout: CONNECT_TIMEOUT_MS },
  })
  const inFlight = new Map<ServiceName, number>()
  const unwatch = upstreamInFlight.watch(inFlight)
  return {
    addressOf: (service) => addresses[service],
    begin(service) {
      const before = inFlight.get(service) ?? 0
      if (before >= MAX_IN_FLIGHT) throw serviceUnavailable(service)
      inFlight.set(service, before + 1)
      return () => inFlight.set(service, (inFlight.get(service) ?? 1) - 1)
    },
    agent,
    passing: new PassingClient(agent),
    close() {
      unwatch()
      return agent.destroy()
    },
  }
}
