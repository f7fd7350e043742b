import type { FastifyInstance, FastifyReply } from 'fastify'
import { SERVICE_NAMES, type ServiceName } from '@storefront/contracts'
import type { Clock } from '@storefront/service'
import type { Upstream, Upstreams } from '../upstream/upstreams.ts'

const SERVICES = SERVICE_NAMES.filter((name) => name !== 'gateway')
const TIMEOUT_MS = 1500
/** Results are cached, so that several monitors cost the services no more than one. */
const REMEMBERED_MS = 500

type State = 'ready' | 'unavailable'
interface Readiness {
  ok: boolean
  services: Partial<Record<ServiceName, State>>
}

const STOPPING = { ok: false, stopping: true }

/** This process is alive. */
export function healthRoute(app: FastifyInstance): void {
  app.get('/healthz', (_request, reply) => sendState(reply, { ok: true }))
}

/** This gateway accepts requests, for load balancers: with one service down it serves the other routes. */
export function gatewayReadinessRoute(app: FastifyInstance): void {
  app.get('/readyz/gateway', (_request, reply) => sendState(reply, app.isStopping ? STOPPING : { ok: true }))
}

/** All services of the shop are ready, for people and monitoring. */
export function readinessRoute(
  app: FastifyInstance,
  { upstreams, clock }: { upstreams: Upstreams; clock: Clock },
): void {
  let remembered: { readiness: Promise<Readiness>; untilMs: number } | undefined

  app.get('/readyz', async (_request, reply) => {
    if (app.isStopping) return sendState(reply, STOPPING)
    const now = clock.now().getTime()
    if (!remembered || remembered.untilMs <= now) {
      remembered = { readiness: readiness(upstreams), untilMs: now + REMEMBERED_MS }
    }
    return sendState(reply, await remembered.readiness)
  })
}

function sendState(reply: FastifyReply, state: { ok: boolean }): FastifyReply {
  const status = state.ok ? 200 : 503
  return reply.header('cache-control', 'no-store').code(status).send(state)
}

async function readiness(upstreams: Upstreams): Promise<Readiness> {
  const states = await Promise.all(
    SERVICES.map(async (name): Promise<[ServiceName, State]> => [name, await stateOf(upstreams, name)]),
  )
  return { ok: states.every(([, state]) => state === 'ready'), services: Object.fromEntries(states) }
}

async function stateOf(upstreams: Upstreams, service: Upstream): Promise<State> {
  try {
    const { statusCode, body } = await upstreams.read(service, '/readyz', {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await body.dump()
    return statusCode === 200 ? 'ready' : 'unavailable'
  } catch {
    return 'unavailable'
  }
}
