import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { retryBudget, type RetryBudget } from '@storefront/messaging'
import type { Span } from '@storefront/service'
import { REPEATED_HEADER, type ServiceName } from '@storefront/contracts'
import type { GatewayConfig } from '../config.ts'
import { serviceUnavailable } from '../errors.ts'
import { watchHeartbeats } from './heartbeat.ts'
import { ReplicaPools } from './replica-pools.ts'
import { Replicas } from './replicas.ts'
import { lossOf, rejectionOf, shouldRetry } from './retry.ts'
import { countRetry, upstreamInFlight } from './upstream-metrics.ts'
import { noteRetry } from './upstream-span.ts'

/**
 * Concurrent requests to one service. More are rejected at once: in a queue they would only wait to be rejected later.
 */
const MAX_IN_FLIGHT = 512
/** A few more than that, because a connection whose request was canceled takes a moment to close. */
const CONNECTIONS_PER_REPLICA = 640
/** The system of the replica accepts connections, however busy the replica is: one that takes longer has no machine. */
const CONNECT_TIMEOUT_MS = 500
/** Shorter than the 75 s of the services, so that a service never closes first. */
const KEEP_ALIVE_MS = 60_000

/** The target of the request that is being forwarded, and its cancellation. */
export interface ForwardedRequest {
  service: Upstream
  path: string
  signal: AbortSignal | null
  /** Executing it twice has the effect of executing it once. */
  idempotent: boolean
  /** Replaces a body that streams. */
  body?: Buffer
  /** The span of all attempts; it records each retry. */
  span?: Span | undefined
}

export type Upstream = Exclude<ServiceName, 'gateway'>
type RequestOptions<Opaque> = Omit<Dispatcher.RequestOptions<Opaque>, 'signal' | 'headers'> & {
  headers?: IncomingHttpHeaders
}
type ReadOptions = { headers?: Record<string, string> } & Partial<Pick<ForwardedRequest, 'signal' | 'span'>>
type Callback<Opaque> = (error: Error | null, data: Dispatcher.ResponseData<Opaque>) => void

export type Upstreams = ReturnType<typeof openUpstreams>

type Services = Record<Upstream, { replicas: Replicas; budget: RetryBudget }>
type Send = <Opaque>(forwarded: ForwardedRequest, options: RequestOptions<Opaque>, callback: Callback<Opaque>) => void

/**
 * The client with which the proxy library sends its requests. It keeps the exact bytes of the path: the library would
 * parse it as a URL and serialize it again, and an id must arrive as it was sent.
 */
export class ForwardingClient {
  readonly #send: Send
  readonly #forwarded = new AsyncLocalStorage<ForwardedRequest>()

  constructor(send: Send) {
    this.#send = send
    // The library takes the function without its object.
    this.request = this.request.bind(this)
  }

  forward<Result>(forwarded: ForwardedRequest, work: () => Result): Result {
    return this.#forwarded.run(forwarded, work)
  }

  request<Opaque = null>(options: RequestOptions<Opaque>, callback: Callback<Opaque>): void
  /** Part of the library's type, which is never used. */
  request<Opaque = null>(options: RequestOptions<Opaque>): Promise<never>
  request<Opaque = null>(options: RequestOptions<Opaque>, callback?: Callback<Opaque>): Promise<never> | void {
    const forwarded = this.#forwarded.getStore()
    if (!forwarded || !callback) throw new Error('a request is forwarded without its target')
    this.#send(forwarded, options, callback)
  }
}

export function openUpstreams(config: Pick<GatewayConfig, `${Uppercase<Upstream>}_URL` | 'UPSTREAM_TIMEOUT_MS'>) {
  const timeoutMs = config.UPSTREAM_TIMEOUT_MS
  const pools = new ReplicaPools({
    connections: CONNECTIONS_PER_REPLICA,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: { timeout: CONNECT_TIMEOUT_MS },
  })
  const watch = watchHeartbeats(pools)
  const behind = (addresses: readonly string[]) => ({
    replicas: new Replicas(addresses, watch),
    budget: retryBudget(),
  })
  const services: Services = {
    catalog: behind(config.CATALOG_URL),
    cart: behind(config.CART_URL),
    orders: behind(config.ORDERS_URL),
    identity: behind(config.IDENTITY_URL),
    notifier: behind(config.NOTIFIER_URL),
  }
  const inFlight = new Map<ServiceName, number>()
  const send = sender(pools, services, timeoutMs)

  const unwatch = upstreamInFlight.watch(inFlight)
  return {
    /** @returns a function to call when the request is over. @throws DependencyUnavailable when there are too many */
    begin(service: Upstream): () => void {
      const before = inFlight.get(service) ?? 0
      if (before >= MAX_IN_FLIGHT) throw serviceUnavailable(service)
      inFlight.set(service, before + 1)
      return () => inFlight.set(service, (inFlight.get(service) ?? 1) - 1)
    },
    /** Reads from any replica of a service, and from another when that one is lost. */
    read: (
      service: Upstream,
      path: string,
      { headers = {}, signal = null, span }: ReadOptions = {},
    ): Promise<Dispatcher.ResponseData> =>
      new Promise((resolve, reject) => {
        send<null>({ service, path, signal, idempotent: true, span }, { path, method: 'GET', headers }, (error, data) =>
          error ? reject(error) : resolve(data),
        )
      }),
    forwarding: new ForwardingClient(send),
    async close() {
      unwatch()
      for (const { replicas } of Object.values(services)) replicas.stop()
      await pools.close()
    },
  }
}

/** Sends to one replica, and to another one when the request is lost and may be repeated. */
function sender(pools: ReplicaPools, services: Services, timeoutMs: number): Send {
  return (forwarded, options, callback) => {
    const { service, path, signal, idempotent, span } = forwarded
    const { replicas, budget } = services[service]
    const body = forwarded.body ?? options.body
    const sendable = body === undefined || body === null || typeof body === 'string' || Buffer.isBuffer(body)
    const startedMs = performance.now()
    const tried: string[] = []
    let isRejected = false
    budget.countRequest()

    const attempt = (headers: IncomingHttpHeaders | undefined, headersTimeout: number): void => {
      const origin = replicas.choose(tried)
      const leave = replicas.enter(origin)
      tried.push(origin)
      pools
        .of(origin)
        .request(
          { ...options, ...(headers && { headers }), headersTimeout, path, signal, ...(body && { body }) },
          (error, data) => {
            leave()
            const lost = error ? lossOf(error) : rejectionOf(data.statusCode)
            if (error && lost) replicas.leaveOut(origin)
            const allowedMs = options.headersTimeout ?? timeoutMs
            const leftMs = allowedMs - (performance.now() - startedMs)
            const request = { idempotent, sendable, sent: tried.length, timeLeft: leftMs / allowedMs }
            // The budget comes last: it is spent only on a retry that is made.
            const isRetried =
              lost !== undefined && shouldRetry(lost, request, replicas.hasOther(tried)) && budget.take()
            if (!isRetried) {
              // The 503 of another replica stands when this one fails in the time that was left.
              callback(error && isRejected ? serviceUnavailable(service, error) : error, data)
              return
            }
            isRejected ||= lost === 'rejected'
            if (!error) data.body.on('error', () => {}).resume()
            countRetry(service)
            noteRetry(span, error ?? serviceUnavailable(service), tried.length)
            // Reports that the first attempt was aborted, so that the next replica need not wait for its end.
            attempt(lost === 'broken off' ? { ...options.headers, [REPEATED_HEADER]: '1' } : headers, leftMs)
          },
        )
    }
    attempt(options.headers, options.headersTimeout ?? timeoutMs)
  }
}
