import { z } from 'zod'
import { ERROR_STATUS, type ServiceName } from '@storefront/contracts'
import { pruneSchemas } from './prune-schemas.ts'
import { describeWebhooks } from './webhooks.ts'

const Named = z.record(z.string(), z.unknown())
const COMPONENT_KINDS = ['schemas', 'parameters', 'headers', 'responses', 'examples', 'requestBodies'] as const

/** The parts of an OpenAPI document that are merged; what a service says in them is its own business. */
export const ServiceDescription = z.looseObject({
  paths: z.record(z.string(), Named).default({}),
  components: z.looseObject(Object.fromEntries(COMPONENT_KINDS.map((kind) => [kind, Named.optional()]))).default({}),
})
export type ServiceDescription = z.output<typeof ServiceDescription>

export interface MergeOptions {
  basePath: string
  /** Services that could not be asked just now. */
  unavailable: readonly ServiceName[]
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options']
const INTRODUCTION = `The data backend of an apparel storefront: catalogue, carts priced on the server, checkout, orders,
accounts, and the merchant's side under \`/admin\`.

Bodies are JSON where nothing else is named. Money is \`{ amount, currency }\` in the currency's smallest unit. Lists are \`{ items, total }\`.
Errors are \`{ message, code, requestId }\`: branch on \`code\`, show \`message\`, quote \`requestId\`.`

const ERROR_SCHEMA = {
  type: 'object',
  required: ['message', 'code', 'requestId'],
  properties: {
    message: { type: 'string', description: 'One sentence for the buyer.' },
    code: {
      type: 'string',
      enum: Object.keys(ERROR_STATUS),
      description: 'What clients branch on. A later version may add codes.',
    },
    requestId: { type: 'string' },
    detail: { description: 'For the integrator.' },
  },
}
const SECURITY_SCHEMES = {
  customer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'From POST /auth/login or /auth/register.',
  },
  admin: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'From POST /admin/auth/login.' },
  browser: {
    type: 'apiKey',
    in: 'cookie',
    name: 'store_browser',
    description: 'Set with the first cart: opens the orders this browser placed.',
  },
}

/** Makes one API description out of several. Components of one name that differ get the name of their service in front. */
export function mergeDescriptions(
  services: readonly { name: ServiceName; description: ServiceDescription }[],
  { basePath, unavailable }: MergeOptions,
): unknown {
  const components: Record<string, Record<string, unknown>> = { schemas: {} }
  const paths: Record<string, Record<string, unknown>> = {}
  for (const { name, description } of services) {
    const renamed = new Map<string, string>()
    for (const kind of COMPONENT_KINDS) collectConflicts(kind, name, description, components, renamed)
    for (const kind of COMPONENT_KINDS) {
      const merged = (components[kind] ??= {})
      for (const [key, value] of Object.entries(description.components[kind] ?? {})) {
        merged[renamed.get(`#/components/${kind}/${key}`) ?? key] = withReferences(value, renamed)
      }
    }
    for (const [path, item] of Object.entries(description.paths)) {
      const own = Object.entries(item).map(([key, value]) => [
        key,
        describeOperation(key, withReferences(value, renamed), name),
      ])
      paths[path] = { ...paths[path], ...Object.fromEntries(own) }
    }
  }
  components['responses'] = {
    ...components['responses'],
    Error: {
      description: 'Anything that is not a success.',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
  }
  const { schemas = {}, ...others } = components
  const used = pruneSchemas({ ...schemas, Error: ERROR_SCHEMA }, [paths, others])
  return {
    openapi: '3.1.0',
    info: { title: 'Storefront Commerce API', version: '1.0.0', description: INTRODUCTION },
    servers: [{ url: basePath === '' ? '/' : basePath }],
    tags: chaptersOf(paths),
    paths: Object.fromEntries(Object.entries(paths).toSorted(([one], [other]) => (one < other ? -1 : 1))),
    webhooks: describeWebhooks(),
    components: { schemas: used, ...others, securitySchemes: SECURITY_SCHEMES },
    ...(unavailable.length === 0 ? {} : { 'x-unavailable': unavailable.toSorted() }),
  }
}

/** The chapters in the order in which somebody shops, then whatever else there is. */
const CHAPTERS = ['Catalogue', 'Configuration', 'Cart', 'Checkout', 'Orders', 'Account', 'Newsletter', 'Media']

function chaptersOf(paths: Record<string, Record<string, unknown>>): { name: string }[] {
  const used = new Set<string>()
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
    if (typeof operation !== 'object' || operation === null || !('tags' in operation)) continue
    if (Array.isArray(operation.tags)) for (const tag of operation.tags) used.add(String(tag))
  }
  const others = [...used].filter((tag) => !CHAPTERS.includes(tag)).toSorted()
  return [...CHAPTERS.filter((tag) => used.has(tag)), ...others].map((name) => ({ name }))
}

function collectConflicts(
  kind: (typeof COMPONENT_KINDS)[number],
  service: ServiceName,
  description: ServiceDescription,
  merged: Record<string, Record<string, unknown>>,
  renamed: Map<string, string>,
): void {
  for (const [key, value] of Object.entries(description.components[kind] ?? {})) {
    const there = merged[kind]?.[key]
    if (there === undefined || canonical(there) === canonical(value)) continue
    renamed.set(`#/components/${kind}/${key}`, `${service}_${key}`)
  }
}

/** The same text for the same meaning, whatever the order of keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  )
}

function withReferences(value: unknown, renamed: ReadonlyMap<string, string>): unknown {
  if (renamed.size === 0) return value
  if (Array.isArray(value)) return value.map((inner) => withReferences(inner, renamed))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const target = key === '$ref' && typeof inner === 'string' ? renamed.get(inner) : undefined
      if (target === undefined || typeof inner !== 'string') return [key, withReferences(inner, renamed)]
      return [key, `${inner.slice(0, inner.lastIndexOf('/') + 1)}${target}`]
    }),
  )
}

/** Every operation stands under its service, and every one may fail. */
function describeOperation(key: string, operation: unknown, service: ServiceName): unknown {
  if (!METHODS.includes(key) || typeof operation !== 'object' || operation === null) return operation
  const described = { tags: [service], ...operation }
  const responses = 'responses' in operation && typeof operation.responses === 'object' ? operation.responses : {}
  return { ...described, responses: { ...responses, default: { $ref: '#/components/responses/Error' } } }
}
