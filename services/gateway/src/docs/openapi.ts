import type { FastifyInstance } from 'fastify'
import { SERVICE_NAMES, type ServiceName } from '@storefront/contracts'
import { SERVICE_OPENAPI_PATH } from '@storefront/http'
import type { Clock } from '@storefront/service'
import type { Upstream, Upstreams } from '../upstream/upstreams.ts'
import { describeShop } from './describe-shop.ts'
import { readExamples } from './examples.ts'
import { ServiceDescription } from './merge-services.ts'

const SERVICES = SERVICE_NAMES.filter((name) => name !== 'gateway')
/** Long, because a service in the same process may be describing itself for a second. */
const TIMEOUT_MS = 8000
const REMEMBERED_MS = 5000

/** GET /openapi.json: the whole API in one description, merged from the descriptions of all services. */
export function openapiRoute(
  app: FastifyInstance,
  { upstreams, clock, basePath }: { upstreams: Upstreams; clock: Clock; basePath: string },
): void {
  const examples = readExamples()
  // The last description of a service is used while the service is down.
  const known = new Map<ServiceName, ServiceDescription>()
  let remembered: { document: Promise<unknown>; untilMs: number } | undefined

  async function describe(): Promise<unknown> {
    const unavailable: ServiceName[] = []
    await Promise.all(
      SERVICES.map(async (name) => {
        const description = await descriptionOf(upstreams, name)
        if (description) known.set(name, description)
        else unavailable.push(name)
      }),
    )
    const descriptions = SERVICES.flatMap((name) => {
      const description = known.get(name)
      return description ? [{ name, description }] : []
    })
    return describeShop(descriptions, { basePath, unavailable, examples })
  }

  app.get('/openapi.json', async (_request, reply) => {
    const now = clock.now().getTime()
    if (!remembered || remembered.untilMs <= now) remembered = { document: describe(), untilMs: now + REMEMBERED_MS }
    const text = JSON.stringify(await remembered.document)
    reply.header('cache-control', 'no-cache').type('application/json; charset=utf-8')
    return reply.compress(text)
  })
}

async function descriptionOf(upstreams: Upstreams, service: Upstream): Promise<ServiceDescription | undefined> {
  try {
    const { statusCode, body } = await upstreams.read(service, SERVICE_OPENAPI_PATH, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (statusCode !== 200) {
      await body.dump()
      return undefined
    }
    return ServiceDescription.parse(await body.json())
  } catch {
    return undefined
  }
}
