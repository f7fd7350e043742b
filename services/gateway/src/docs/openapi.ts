import type { FastifyInstance } from 'fastify'
import { SERVICE_NAMES, type ServiceName } from '@storefront/contracts'
import { SERVICE_OPENAPI_PATH } from '@storefront/http'
import type { Clock } from '@storefront/service'
import type { Upstream, Upstreams } from '../upstream/upstreams.ts'
import { acceptedEncoding } from '../encoding/accepted-encoding.ts'
import { compressedContent } from '../encoding/compressed-content.ts'
import { describeShop } from './describe-shop.ts'
import { readExamples } from './examples.ts'
import { ServiceDescription } from './merge-services.ts'

interface Content {
  text: Buffer
  read: ReturnType<typeof compressedContent>
}

const SERVICES = SERVICE_NAMES.filter((name) => name !== 'gateway')
/** Long, because a service in the same process may be describing itself for a second. */
const TIMEOUT_MS = 8000
const REMEMBERED_MS = 5000

/** The whole API in one description, merged from the descriptions of all services. */
export function openapiRoute(
  app: FastifyInstance,
  { upstreams, clock, basePath }: { upstreams: Upstreams; clock: Clock; basePath: string },
): void {
  const examples = readExamples()
  // The last description of a service is used while the service is down.
  const known = new Map<ServiceName, ServiceDescription>()
  let remembered: { content: Promise<Content>; untilMs: number } | undefined
  let last: Content | undefined

  async function describe(): Promise<Content> {
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
    const text = Buffer.from(JSON.stringify(describeShop(descriptions, { basePath, unavailable, examples })))
    if (last?.text.equals(text) !== true) last = { text, read: compressedContent(text) }
    return last
  }

  app.get('/openapi.json', async (request, reply) => {
    const now = clock.now().getTime()
    if (!remembered || remembered.untilMs <= now) remembered = { content: describe(), untilMs: now + REMEMBERED_MS }
    const encoding = acceptedEncoding(request.headers['accept-encoding'])
    // The same bytes for all clients, so that many that read slowly, or not at all, need no more memory than one.
    const body = await (await remembered.content).read(encoding)
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    reply.headers({ 'cache-control': 'no-cache', vary: 'Origin, Accept-Encoding' })
    return reply.type('application/json; charset=utf-8').send(body)
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
