import { z } from 'zod'

const Schema = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  default: z.unknown().optional(),
  required: z.array(z.string()).optional(),
  get properties(): z.ZodOptional<z.ZodRecord<z.ZodString, typeof Schema>> {
    return z.record(z.string(), Schema).optional()
  },
  get items(): z.ZodOptional<z.ZodUnion<readonly [typeof Schema, z.ZodBoolean]>> {
    return z.union([Schema, z.boolean()]).optional()
  },
  get prefixItems(): z.ZodOptional<z.ZodArray<typeof Schema>> {
    return z.array(Schema).optional()
  },
  get anyOf(): z.ZodOptional<z.ZodArray<typeof Schema>> {
    return z.array(Schema).optional()
  },
  get oneOf(): z.ZodOptional<z.ZodArray<typeof Schema>> {
    return z.array(Schema).optional()
  },
})
export type Schema = z.output<typeof Schema>

const Operation = z.looseObject({
  security: z.array(z.record(z.string(), z.unknown())).optional(),
  parameters: z.array(z.looseObject({ in: z.string(), name: z.string() })).optional(),
  requestBody: z
    .looseObject({ content: z.record(z.string(), z.looseObject({ schema: Schema.optional() })) })
    .optional(),
})

const Document = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.looseObject({ schemas: z.record(z.string(), Schema) }),
})

/** One documented operation, with what a test needs to call it rightly or wrongly. */
export interface ApiOperation {
  method: string
  path: string
  /** Only for somebody who is signed in as such. */
  needs: 'customer' | 'admin' | undefined
  pathParameters: string[]
  queryParameters: string[]
  body: Schema | undefined
}

export interface Api {
  operations: ApiOperation[]
  schemas: Record<string, Schema>
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

export function readApi(document: unknown): Api {
  const { paths, components } = Document.parse(document)
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, given]): ApiOperation => {
        const operation = Operation.parse(given)
        const named = (place: string) => (operation.parameters ?? []).filter((p) => p.in === place).map((p) => p.name)
        const needs = (operation.security ?? []).flatMap((one) => Object.keys(one))
        return {
          method: method.toUpperCase(),
          path,
          needs: needs.includes('admin') ? 'admin' : needs.includes('customer') ? 'customer' : undefined,
          pathParameters: named('path'),
          queryParameters: named('query'),
          body: operation.requestBody?.content['application/json']?.schema,
        }
      }),
  )
  return { operations, schemas: components.schemas }
}

/** Where a value lies in a body: names of properties, and numbers in arrays. */
export type Place = readonly (string | number)[]

const MAX_DEPTH = 8

/**
 * Makes a body that fits its schema as far as a schema tells, every property filled.
 * @param meaning a value for a property of this name that its type alone does not give, such as an e-mail address
 */
export function sampleOf(api: Api, schema: Schema, meaning: (name: string) => unknown, name = '', depth = 0): unknown {
  const known = meaning(name)
  if (known !== undefined) return known
  const resolved = resolve(api, schema)
  if (resolved.const !== undefined) return resolved.const
  if (resolved.enum !== undefined) return resolved.enum[0]
  if (depth > MAX_DEPTH) return null
  if (resolved.properties) {
    return Object.fromEntries(
      Object.entries(resolved.properties).map(([key, inner]) => [key, sampleOf(api, inner, meaning, key, depth + 1)]),
    )
  }
  const type = typeOf(resolved)
  if (type === 'array') {
    const { items, prefixItems } = resolved
    const elements = prefixItems ?? (typeof items === 'object' ? [items] : [])
    return elements.map((element) => sampleOf(api, element, meaning, name, depth + 1))
  }
  if (type === 'object') return {}
  if (type === 'integer' || type === 'number') return 1
  if (type === 'boolean') return true
  return resolved.default || 'sample'
}

/** Every place in a sample: of properties, of elements of arrays, down to the leaves. */
export function placesIn(value: unknown, at: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const place = [...at, Array.isArray(value) ? Number(key) : key]
    return [place, ...placesIn(inner, place)]
  })
}

/** The value as JSON text, with `text` in place of what lies at `place`: any text, whether JSON can say it or not. */
export function textWith(value: unknown, place: Place, text: string): string {
  const marker = '@@here@@'
  return JSON.stringify(put(value, place, marker)).replace(`"${marker}"`, () => text)
}

function put(value: unknown, [first, ...rest]: Place, replacement: unknown): unknown {
  if (first === undefined) return replacement
  if (Array.isArray(value))
    return value.map((inner, index) => (index === first ? put(inner, rest, replacement) : inner))
  return Object.fromEntries(
    Object.entries(typeof value === 'object' && value !== null ? value : {}).map(([key, inner]) => [
      key,
      key === first ? put(inner, rest, replacement) : inner,
    ]),
  )
}

function resolve(api: Api, schema: Schema): Schema {
  const { $ref } = schema
  const target = $ref === undefined ? undefined : api.schemas[$ref.slice($ref.lastIndexOf('/') + 1)]
  if (target) return resolve(api, target)
  const alternatives = schema.anyOf ?? schema.oneOf
  const [first] = alternatives?.filter((one) => one.type !== 'null') ?? []
  return first ? resolve(api, first) : schema
}

function typeOf({ type }: Schema): string | undefined {
  return Array.isArray(type) ? type.find((one) => one !== 'null') : type
}
