import { z } from 'zod'
import type { ServiceName } from '@storefront/contracts'
import { canonicalJson } from '@storefront/service'

const Named = z.record(z.string(), z.unknown())
const COMPONENT_KINDS = ['schemas', 'parameters', 'headers', 'responses', 'examples', 'requestBodies'] as const
type ComponentKind = (typeof COMPONENT_KINDS)[number]

/** The parts of an OpenAPI document that are merged; their content is up to the service. */
export const ServiceDescription = z.looseObject({
  paths: z.record(z.string(), Named).default({}),
  components: z.looseObject(Object.fromEntries(COMPONENT_KINDS.map((kind) => [kind, Named.optional()]))).default({}),
})
export type ServiceDescription = z.output<typeof ServiceDescription>

export interface DescribedService {
  name: ServiceName
  description: ServiceDescription
}

/** An operation as its service describes it. */
export interface MergedOperation {
  service: ServiceName
  path: string
  method: string
  operation: Record<string, unknown>
}

const METHODS = new Set(['get', 'put', 'post', 'delete', 'patch', 'head', 'options'])

/**
 * Merges the operations and components of the services. Components with one name that differ get the name of their
 * service as a prefix.
 */
export function mergeServices(services: readonly DescribedService[]): {
  operations: MergedOperation[]
  components: Partial<Record<ComponentKind, Record<string, unknown>>>
} {
  const components: Partial<Record<ComponentKind, Record<string, unknown>>> = {}
  const operations: MergedOperation[] = []
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
      for (const [method, described] of Object.entries(item)) {
        const operation = Named.safeParse(withReferences(described, renamed))
        if (!METHODS.has(method) || !operation.success) continue
        operations.push({ service: name, path, method, operation: operation.data })
      }
    }
  }
  return { operations, components }
}

function collectConflicts(
  kind: ComponentKind,
  service: ServiceName,
  description: ServiceDescription,
  merged: Partial<Record<ComponentKind, Record<string, unknown>>>,
  renamed: Map<string, string>,
): void {
  for (const [key, value] of Object.entries(description.components[kind] ?? {})) {
    const existing = merged[kind]?.[key]
    if (existing === undefined || canonicalJson(existing) === canonicalJson(value)) continue
    renamed.set(`#/components/${kind}/${key}`, `${service}_${key}`)
  }
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
