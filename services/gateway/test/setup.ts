import { MAX_SERVICE_HEAD_BYTES } from '@storefront/http/testing'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { Redis } from 'ioredis'
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTHeaderParameters } from 'jose'
import { pino } from 'pino'
import { z } from 'zod'
import {
  actorVerifier,
  readConfig,
  serverRunOf,
  systemClock,
  type ActorVerifier,
  type Clock,
} from '@storefront/service'
import { HEARTBEAT_INTERVAL_HEADER, HEARTBEAT_PATH } from '@storefront/http'
import { revocationsMark } from '@storefront/contracts'
import { NO_RATE_LIMITS, type Suite } from '@storefront/tools/testing'
import { GatewayConfig } from '../src/config.ts'
import { TIMEOUTS, type Timeouts } from '../src/front/timeouts.ts'
import { startGateway, type RunningGateway } from '../src/start.ts'

export type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** A real HTTP server in place of a service, whose behavior a test can change at any time. */
export interface TestService {
  url: string
  respond: Handler
  requests: IncomingMessage[]
  /** Announces that it is about to stop, and continues to serve requests. */
  beginStop(): void
  /** From now on it sends nothing and closes no connection, as if its machine had lost its network. */
  vanish(): void
  stop(): Promise<void>
  /** Listens again, on the same port. */
  start(): Promise<void>
}

/** @param options.linesEveryMs interval of its heartbeats; without it there are none, as in earlier versions */
export async function startService(
  respond: Handler,
  { linesEveryMs = 0 }: { linesEveryMs?: number } = {},
): Promise<TestService> {
  const requests: IncomingMessage[] = []
  const heartbeats = new Set<ServerResponse>()
  let isStopping = false
  let hasVanished = false
  let port = 0
  const make = () =>
    createServer({ maxHeaderSize: MAX_SERVICE_HEAD_BYTES }, (request, response) => {
      if (hasVanished) return
      if (request.url === HEARTBEAT_PATH) {
        const interval = linesEveryMs > 0 ? { [HEARTBEAT_INTERVAL_HEADER]: linesEveryMs } : {}
        response.writeHead(isStopping ? 503 : 200, { connection: 'close', ...interval }).flushHeaders()
        if (isStopping) response.end()
        else heartbeats.add(response)
        return
      }
      requests.push(request)
      service.respond(request, response)
    })
  const lines = setInterval(() => {
    if (!hasVanished) for (const response of heartbeats) response.write('\n')
  }, linesEveryMs || 1000)
  let server = make()
  const service: TestService = {
    url: '',
    respond,
    requests,
    beginStop() {
      isStopping = true
      for (const response of heartbeats) response.end()
      heartbeats.clear()
    },
    vanish() {
      hasVanished = true
    },
    async start() {
      isStopping = false
      server = make()
      await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
      port = portOf(server.address())
      service.url = `http://127.0.0.1:${port}`
    },
    async stop() {
      clearInterval(lines)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  await service.start()
  return service
}

export function portOf(address: AddressInfo | string | null): number {
  if (typeof address !== 'object' || address === null) throw new Error('not listening')
  return address.port
}

/** Sends raw text, and reads the response until the connection closes. */
export async function sendRaw(text: string, { app }: TestGateway): Promise<string> {
  const socket = connect(portOf(app.server.address()), '127.0.0.1').setEncoding('latin1')
  let response = ''
  socket.on('data', (chunk: string) => (response += chunk))
  socket.on('error', () => {})
  socket.write(text)
  await new Promise((resolve) => socket.on('close', resolve))
  return response
}

export function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(text)),
    ...headers,
  })
  response.end(text)
}

/** Responds with the request as the service received it. */
export const echo: Handler = (request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const body = Buffer.concat(chunks)
    const shown = { method: request.method, url: request.url, headers: request.headers, body: body.toString('latin1') }
    json(response, 200, shown, { 'cache-control': 'private, no-store' })
  })
}

export const Echo = z.object({
  method: z.string(),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
})

export type Identity = Awaited<ReturnType<typeof startIdentity>>

/** A service that signs sessions as identity does. */
export async function startIdentity(respond: Handler = echo) {
  const keys = new Map<string, { privateKey: CryptoKey; jwk: object }>()
  let current = ''
  const service = await startService((request, response) => {
    if (request.url === '/.well-known/jwks.json') {
      json(response, 200, { keys: [...keys.values()].map(({ jwk }) => jwk) })
    } else respond(request, response)
  })
  /** Signs with a new key from now on. */
  async function rotate(kid: string): Promise<void> {
    const { publicKey, privateKey } = await generateKeyPair('EdDSA', { extractable: true })
    keys.set(kid, { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'EdDSA', use: 'sig' } })
    current = kid
  }
  await rotate('key-1')
  return {
    service,
    rotate,
    /** Stops publishing a key. */
    withdraw: (kid: string) => void keys.delete(kid),
    /** @param options.kid the key that really signs; the header may name another one */
    async sign(
      claims: Record<string, unknown>,
      options: { expiresIn?: string; kid?: string; header?: Partial<JWTHeaderParameters> } = {},
    ) {
      const kid = options.kid ?? current
      const key = keys.get(kid)
      if (!key) throw new Error('no key')
      return new SignJWT({ iss: 'storefront', aud: 'storefront', sub: 'cus_1', sid: 'sess_1', ...claims })
        .setProtectedHeader({ alg: 'EdDSA', kid, ...options.header })
        .setIssuedAt()
        .setExpirationTime(options.expiresIn ?? '1h')
        .sign(key.privateKey)
    },
  }
}

export interface TestGateway extends RunningGateway {
  verifyActor: ActorVerifier
}

/** Starts a real gateway in front of these services; rate limits are off unless a test turns them on. */
export async function runGateway(
  suite: Suite,
  services: Partial<Record<'catalog' | 'cart' | 'orders' | 'identity' | 'notifier', string>>,
  settings: Record<string, string> = {},
  clock: Clock = systemClock,
  timeouts: Partial<Timeouts> = {},
): Promise<TestGateway> {
  const nowhere = 'http://127.0.0.1:9'
  const env = suite.env('gateway')
  const config = readConfig(GatewayConfig, {
    ...env,
    ACTOR_PRIVATE_KEY: suite.actorPrivateKey,
    CATALOG_URL: services.catalog ?? nowhere,
    CART_URL: services.cart ?? nowhere,
    ORDERS_URL: services.orders ?? nowhere,
    IDENTITY_URL: services.identity ?? nowhere,
    NOTIFIER_URL: services.notifier ?? nowhere,
    ...NO_RATE_LIMITS,
    UPSTREAM_TIMEOUT_MS: '500',
    ...settings,
  })
  const gateway = await startGateway(config, suite.log, clock, {
    ...TIMEOUTS,
    requestsPerAddress: Infinity,
    // Callers and services share the process with the gateway, and block its event loop themselves.
    lateMs: Infinity,
    ...timeouts,
  })
  return { ...gateway, verifyActor: actorVerifier(env['ACTOR_PUBLIC_KEY'] ?? '', clock) }
}

/** A log whose lines a test reads, as they are written. */
export function recordedLog(level: string) {
  const lines: string[] = []
  const sink = new Writable({ write: (chunk: Buffer, _encoding, done) => (lines.push(String(chunk)), done()) })
  return { log: pino({ level }, sink), lines }
}

/** Marks the revocations in Redis as complete, as identity does. */
export async function markRevocationsComplete(suite: Suite, url = suite.redisUrl): Promise<void> {
  const redis = new Redis(url)
  await redis.set(revocationsMark(suite.namespace), await serverRunOf(redis))
  redis.disconnect()
}
