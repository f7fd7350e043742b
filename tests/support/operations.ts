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

const Content = z.record(
  z.string().regex(/^[a-z]+\/[a-z0-9.+-]+$/),
  z.strictObject({ schema: Schema, example: z.unknown().optional(), examples: z.unknown().optional() }),
)

const Parameter = z.strictObject({
  in: z.enum(['path', 'query', 'header']),
  name: z.string().min(1),
  required: z.boolean().optional(),
  description: z.string().optional(),
  schema: Schema,
  example: z.union([z.string(), z.number()]).optional(),
})

const RESPONSES = '#/components/responses/'
/** A response that several operations share: its examples are named after the error codes that it can have. */
const ErrorResponse = z.strictObject({
  description: z.string().min(1),
  content: z.strictObject({
    'application/json': z.strictObject({
      schema: z.strictObject({ $ref: z.literal('#/components/schemas/Error') }),
      examples: z.record(z.string(), z.strictObject({ $ref: z.string().startsWith('#/components/examples/') })),
    }),
  }),
})

const ResponseBody = z.union([
  z.strictObject({ $ref: z.string().startsWith(RESPONSES) }),
  z.strictObject({ description: z.string().min(1), content: Content.optional() }),
])

/** Strict, because a keyword that OpenAPI does not define here would be ignored. */
const Operation = z.strictObject({
  tags: z.array(z.string()).min(1),
  operationId: z.string().min(1),
  summary: z.string().optional(),
  description: z.string().optional(),
  security: z.array(z.partialRecord(z.enum(['customer', 'admin', 'browser']), z.array(z.string()))).optional(),
  parameters: z.array(Parameter).optional(),
  requestBody: z
    .strictObject({ description: z.string().optional(), required: z.boolean(), content: Content })
    .optional(),
  responses: z.record(z.string().regex(/^[1-5]\d\d$/), ResponseBody),
  'x-codeSamples': z.array(z.strictObject({ lang: z.string(), label: z.string(), source: z.string() })).optional(),
})

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

const Document = z.strictObject({
  openapi: z.literal('3.1.0'),
  info: z.strictObject({ title: z.string(), version: z.string(), description: z.string() }),
  servers: z.array(z.strictObject({ url: z.string() })),
  tags: z.array(z.strictObject({ name: z.string() })),
  paths: z.record(z.string().startsWith('/'), z.partialRecord(z.enum(METHODS), Operation)),
  webhooks: z.record(z.string(), z.strictObject({ post: z.looseObject({ requestBody: z.looseObject({}) }) })),
  components: z.looseObject({
    schemas: z.record(z.string(), Schema),
    responses: z.record(z.string(), ErrorResponse),
    examples: z.record(z.string(), z.looseObject({ value: z.object({ code: z.string() }) })),
  }),
})

/** One documented operation, with the data that a test needs to call it correctly or incorrectly. */
export interface ApiOperation {
  method: string
  path: string
  /** The sign-in that it requires. */
  needs: 'customer' | 'admin' | undefined
  pathParameters: string[]
  queryParameters: string[]
  headerParameters: string[]
  body: Schema | undefined
  /** The content types of the bodies that it accepts. */
  contentTypes: string[]
  /** Undefined where no body is accepted. */
  bodyRequired: boolean | undefined
  /** The error codes that it may return, by its description. */
  errors: ReadonlySet<string>
}

export interface Api {
  operations: ApiOperation[]
  schemas: Record<string, Schema>
}

/** Reads the description of the whole API, and throws when it is not valid OpenAPI 3.1. */
export function readApi(document: unknown): Api {
  const { paths, components } = Document.parse(document)
  const { schemas } = components
  const described = Object.values(schemas)
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method): ApiOperation[] => {
      const operation = item[method]
      if (!operation) return []
      const { parameters = [], requestBody, responses } = operation
      const results = Object.values(responses).flatMap((one) => ('content' in one && one.content ? [one.content] : []))
      const contents = [...results, ...(requestBody ? [requestBody.content] : [])].flatMap(Object.values<MediaType>)
      described.push(...[...parameters, ...contents].map(({ schema }) => schema))
      const named = (place: string) => parameters.filter((one) => one.in === place).map(({ name }) => name)
      expectParameters(path, named('path'))
      const needs = (operation.security ?? []).flatMap((one) => Object.keys(one))
      return [
        {
          method: method.toUpperCase(),
          path,
          needs: needs.includes('admin') ? 'admin' : needs.includes('customer') ? 'customer' : undefined,
          pathParameters: named('path'),
          queryParameters: named('query'),
          headerParameters: named('header'),
          body: requestBody?.content['application/json']?.schema,
          contentTypes: Object.keys(requestBody?.content ?? {}),
          bodyRequired: requestBody?.required,
          errors: new Set(
            Object.values(responses).flatMap((one) => ('$ref' in one ? codesOf(one.$ref, components) : [])),
          ),
        },
      ]
    }),
  )
  expectReadable(described, schemas)
  return { operations, schemas }
}

type Components = z.output<typeof Document>['components']

/** Throws when a response or one of its examples does not exist. */
function codesOf(reference: string, { responses, examples }: Components): string[] {
  const response = responses[reference.slice(RESPONSES.length)]
  if (!response) throw new Error(`${reference} is not described`)
  return Object.keys(response.content['application/json'].examples).map((name) => {
    const code = examples[name]?.value.code
    if (code !== name) throw new Error(`the example ${name} is of ${code}`)
    return code
  })
}

type MediaType = z.output<typeof Content>[string]

/**
 * Throws when one is not a JSON schema, or has a reference that does not exist. All at once, because each would convert
 * all of them.
 */
function expectReadable(described: readonly Schema[], schemas: Record<string, Schema>): void {
  const whole = { type: 'object', properties: Object.fromEntries(described.entries()), $defs: schemas }
  const text = JSON.stringify(whole).replaceAll('"#/components/schemas/', '"#/$defs/')
  z.fromJSONSchema(JSON.parse(text), { defaultTarget: 'draft-2020-12' })
}

function expectParameters(path: string, named: readonly string[]): void {
  const inPath = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name)
  if (inPath.toSorted().join() !== named.toSorted().join()) {
    throw new Error(`${path} is described with the parameters ${named.join(', ')}`)
  }
}

/** The path of a value in a body: names of properties, and indexes of arrays. */
export type ValuePath = readonly (string | number)[]

const MAX_DEPTH = 8

/**
 * Creates a body with all properties that fits its schema, as far as the schema is precise.
 * @param meaning a value for a property of this name that its type alone does not determine, such as an email address
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
  if (type === 'null') return null
  return resolved.default || 'sample'
}

/** The path of every value in a sample: properties and elements of arrays, down to the leaves. */
export function pathsIn(value: unknown, at: ValuePath = []): ValuePath[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const path = [...at, Array.isArray(value) ? Number(key) : key]
    return [path, ...pathsIn(inner, path)]
  })
}

/** The value as JSON text, with `text` in place of the value at `path`; the text need not be valid JSON. */
export function textWith(value: unknown, path: ValuePath, text: string): string {
  const marker = '@@here@@'
  return JSON.stringify(put(value, path, marker)).replace(`"${marker}"`, () => text)
}

function put(value: unknown, [first, ...rest]: ValuePath, replacement: unknown): unknown {
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
