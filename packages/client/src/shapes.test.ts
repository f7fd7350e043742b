import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { KEYED_OPERATIONS } from './idempotency-key.ts'
import type { ResponseOf } from './operations.ts'
import { SHAPES } from './shapes.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

const Parameter = z.object({ in: z.string(), name: z.string() })
const Document = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        operationId: z.string(),
        parameters: z.array(Parameter).default([]),
        responses: z.record(
          z.string(),
          z.object({ content: z.record(z.string(), z.object({ schema: z.json() })).optional() }),
        ),
      }),
    ),
  ),
  components: z.object({ schemas: z.record(z.string(), z.json()) }),
})

const document = Document.parse(
  JSON.parse(readFileSync(resolve(import.meta.dirname, '../../../docs/openapi.json'), 'utf8')),
)

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, { operationId, parameters, responses }]) => ({
    operationId,
    key: `${method.toUpperCase()} ${path}`,
    path,
    headers: parameters.filter((one) => one.in === 'header').map(({ name }) => name),
    query: parameters.filter((one) => one.in === 'query').map(({ name }) => name),
    response: responses['200']?.content?.['application/json']?.schema,
  })),
)

test('no two operations have the same name', () => {
  const names = operations.map(({ operationId }) => operationId)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

test('every list that takes `per_page` also takes `page`, and returns the fields of a page', () => {
  const Reply = z.object({ properties: z.record(z.string(), z.unknown()) })
  const paged = operations.filter(({ query }) => query.includes('per_page'))
  const wrong = paged.filter(({ query, response }) => {
    const { properties } = Reply.parse(plain(response ?? null, document.components.schemas))
    return !query.includes('page') || !['items', 'total', 'page', 'perPage'].every((name) => name in properties)
  })
  // New entries would move its pages: docs/decisions/0045.
  expect(wrong.map(({ key }) => key)).toEqual(['GET /admin/activity'])
  expect(paged.length).toBeGreaterThan(20)
})

/**
 * Operations that a storefront does not call: the admin API, callbacks of providers, the keys that verify tokens, files
 * of media, and the export of a customer's data.
 */
const NOT_FOR_STOREFRONTS = /^\/(admin|webhooks|\.well-known|media)\/|^\/me\/export$/

test('every operation of a storefront has a shape', () => {
  const called = operations.filter(({ path }) => !NOT_FOR_STOREFRONTS.test(path)).map(({ key }) => key)
  expect(called.toSorted()).toEqual(Object.keys(SHAPES).toSorted())
})

test.each(Object.entries<z.ZodType>(SHAPES))('the shape of %s is what the API describes', (key, shape) => {
  const described = operations.find((one) => one.key === key)?.response
  const { $defs, $schema: _dialect, ...own } = z.toJSONSchema(shape, { io: 'output' })
  const definitions = z.record(z.string(), z.json()).parse($defs ?? {})
  expect(plain(z.json().parse(own), definitions)).toEqual(plain(described ?? null, document.components.schemas))
})

/** Replaces every reference by its target, once on each path, without names and descriptions. */
function plain(schema: Json, definitions: Record<string, Json>, above: readonly string[] = []): Json {
  if (Array.isArray(schema)) return schema.map((inner) => plain(inner, definitions, above))
  if (schema === null || typeof schema !== 'object') return schema
  const { $ref, const: constant, id: _id, ...rest } = schema
  if (typeof $ref === 'string') {
    const name = $ref.slice($ref.lastIndexOf('/') + 1)
    if (above.includes(name)) return name
    return plain(definitions[name] ?? null, definitions, [...above, name])
  }
  // OpenAPI writes a constant as an enumeration of one value.
  const constraints = constant === undefined ? rest : { ...rest, enum: [constant] }
  return Object.fromEntries(
    Object.entries(constraints)
      .filter(([key, inner]) => key !== 'description' || typeof inner !== 'string')
      .map(([key, inner]) => [key, plain(inner, definitions, above)]),
  )
}

test('the types made from the API fit the shapes', () => {
  type Unfit = {
    [Key in keyof typeof SHAPES]: ResponseOf<Key> extends z.input<(typeof SHAPES)[Key]> ? never : Key
  }[keyof typeof SHAPES]
  expectTypeOf<Unfit>().toBeNever()
  // The compiler compares the types. A shape without an operation would be compared with nothing.
  expect(Object.keys(SHAPES).filter((key) => !operations.some((operation) => operation.key === key))).toEqual([])
  expectTypeOf<ResponseOf<'GET /products'>['items'][number]['price']>().toEqualTypeOf<{
    amount: number
    currency: string
  }>()
})

test('every operation of a storefront that takes an Idempotency-Key gets one', () => {
  const keyed = operations.filter(
    ({ path, headers }) => headers.includes('idempotency-key') && !NOT_FOR_STOREFRONTS.test(path),
  )
  expect(keyed.map(({ key }) => key).toSorted()).toEqual([...KEYED_OPERATIONS].toSorted())
})
