import type { FastifyInstance } from 'fastify'
import { SERVICE_NAMES, type ServiceName } from '@storefront/contracts'
import type { Clock } from '@storefront/service'
import type { Upstream, Upstreams } from '../upstream/upstreams.ts'

const SERVICES = SERVICE_NAMES.filter((name) => name !== 'gateway')
const TIMEOUT_MS = 1500
/** Probes of several monitors cost the services no more than one. */
const REMEMBERED_MS = 500

type State = 'ready' | 'unavailable'
interface Readiness {
  ok: boolean
  services: Partial<Record<ServiceName, State>>
}

/**
 * GET /healthz: this process is alive. GET /readyz: all services of the shop are ready, for people and monitoring. GET
 * /readyz/gateway: this gateway accepts requests, for load balancers: with one service down it serves the other
 * routes.
 */
export function healthRoutes(app: FastifyInstance, { upstreams, clock }: { upstreams: Upstreams; clock: Clock }): void {
  let remembered: { readiness: Promise<Readiness>; untilMs: number } | undefined

  app.get('/healthz', (_request, reply) => reply.header('cache-control', 'no-store').send({ ok: true }))
  const stopping = { ok: false, stopping: true }
  app.get('/readyz/gateway', (_request, reply) => {
    const response = app.isStopping ? stopping : { ok: true }
    return reply
      .header('cache-control', 'no-store')
      .code(response.ok ? 200 : 503)
      .send(response)
  })
  app.get('/readyz', async (_request, reply) => {
    if (app.isStopping) return reply.header('cache-control', 'no-store').code(503).send(stopping)
    const now = clock.now().getTime()
    if (!remembered || remembered.untilMs <= now) {
      remembered = { readiness: readiness(upstreams), untilMs: now + REMEMBERED_MS }
    }
    const found = await remembered.readiness
    return reply
      .header('cache-control', 'no-store')
      .code(found.ok ? 200 : 503)
      .send(found)
  })
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
