import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { pictureOfThumbnail } from '@storefront/contracts'
import { z } from 'zod'
import { readText } from '../repository/source-files.ts'

/**
 * How many descriptions are missing. New operations, parameters and properties need one, so these numbers only fall.
 */
const UNDESCRIBED = { operations: 46, parameters: 157, properties: 1056 }

const JSON_TYPE = 'application/json'

/** An example that does not fit into JSON, such as a picture, has an external value. */
const Named = z.object({ summary: z.string(), externalValue: z.string().optional() })
const Schema = z.looseObject({})
const Media = z.object({
  schema: Schema,
  example: z.unknown().optional(),
  examples: z.record(z.string(), Named).optional(),
})
const Content = z.record(z.string(), Media)
const Operation = z.object({
  operationId: z.string(),
  tags: z.array(z.string()),
  summary: z.string().optional(),
  description: z.string().optional(),
  parameters: z
    .array(
      z.object({
        in: z.string(),
        name: z.string(),
        description: z.string().optional(),
        schema: Schema,
        example: z.unknown().optional(),
      }),
    )
    .default([]),
  requestBody: z.object({ content: Content }).optional(),
  responses: z.record(z.string(), z.object({ content: Content.optional() })),
  'x-codeSamples': z.array(z.object({ label: z.string(), source: z.string() })).default([]),
})
const Document = z.object({
  tags: z.array(z.object({ name: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({
    schemas: z.record(z.string(), Schema),
    examples: z.record(z.string(), z.object({ value: z.unknown() })),
  }),
})

const text = readText('docs/openapi.json')
const document = Document.parse(JSON.parse(text))
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ ...operation, name: `${method.toUpperCase()} ${path}` })),
)
/** Every body and every success, by its operation, place and content type. */
const contents = operations.flatMap(({ name, requestBody, responses }) => {
  const places = [
    ['body', requestBody?.content] as const,
    ...Object.entries(responses).map(([status, { content }]) => [status, content] as const),
  ]
  return places.flatMap(([place, content = {}]) =>
    Object.entries(content).map(([type, media]) => ({ what: `${name} ${place} ${type}`, type, ...media })),
  )
})

/** References in the schemas start at the root of the document. */
const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } })
addFormats.default(ajv)
ajv.addSchema({ $id: 'https://shop.example/', components: { schemas: document.components.schemas } })

/** By the text of their schema, because to compile one takes longer than all validations, and many are the same. */
const validators = new Map<string, ValidateFunction>()

function faultsOf(schema: unknown, example: unknown): string[] {
  const rooted = JSON.stringify(schema).replaceAll('"#/components/', '"https://shop.example/#/components/')
  const validate = validators.get(rooted) ?? ajv.compile(Schema.parse(JSON.parse(rooted)))
  validators.set(rooted, validate)
  if (validate(example)) return []
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

test('the document describes operations and contents', () => {
  expect(operations.length).toBeGreaterThan(140)
  expect(contents.length).toBeGreaterThan(200)
})

test('every operation has a tag of the document', () => {
  const listed = document.tags.map(({ name }) => name)
  const bare = operations.filter(({ tags }) => !tags.every((tag) => listed.includes(tag)))
  expect(
    bare.map(({ name }) => name),
    'add their path to services/gateway/src/docs/tags.ts',
  ).toEqual([])
})

test('every body and every success that is JSON has an example', () => {
  const bare = contents.filter(({ type, example }) => type === JSON_TYPE && example === undefined)
  expect(
    bare.map(({ what }) => what),
    'run npm run examples, which records them',
  ).toEqual([])
})

test('every other content type has an example too', () => {
  const bare = contents.filter(
    ({ example, examples = {} }) => example === undefined && Object.keys(examples).length === 0,
  )
  expect(
    bare.map(({ what }) => what),
    'run npm run examples, which records them',
  ).toEqual([])
})

test('the examples of pictures refer to pictures of products', () => {
  const pictures = contents.filter(({ type }) => type.startsWith('image/'))
  const addresses = pictures.flatMap(({ type, examples = {} }) =>
    Object.values(examples).flatMap(({ externalValue }) =>
      externalValue === undefined ? [] : { type, externalValue },
    ),
  )
  expect(addresses.map(({ type }) => type).toSorted()).toEqual(['image/jpeg', 'image/svg+xml'])
  for (const { externalValue } of addresses) {
    const path = externalValue.replace(/^media\//, '')
    // In the examples of products the address of the shop precedes this path.
    expect(text).toContain(`/media/${pictureOfThumbnail(path) ?? path}"`)
  }
})

test.each(contents.filter(({ type, example }) => type === JSON_TYPE && example !== undefined))(
  'the example of $what fits its schema',
  ({ schema, example }) => {
    expect(faultsOf(schema, example)).toEqual([])
  },
)

test('the example of every parameter fits its schema', () => {
  const given = operations.flatMap(({ name, parameters }) =>
    parameters.flatMap((one) => (one.example === undefined ? [] : [{ ...one, what: `${name} ${one.name}` }])),
  )
  expect(given.length).toBeGreaterThan(100)
  const faults = given.flatMap(({ what, schema, example }) =>
    faultsOf(schema, example).map((fault) => `${what} ${fault}`),
  )
  expect(faults).toEqual([])
})

test('the example of every error fits the schema of errors', () => {
  const examples = Object.entries(document.components.examples)
  expect(examples.length).toBeGreaterThan(50)
  const faults = examples.flatMap(([code, { value }]) =>
    faultsOf({ $ref: '#/components/schemas/Error' }, value).map((fault) => `${code}: ${fault}`),
  )
  expect(faults).toEqual([])
})

test('every operation has samples of curl and of the client', () => {
  const bare = operations.filter((one) => {
    return one['x-codeSamples'].map(({ label }) => label).join() !== 'curl,@storefront/client'
  })
  expect(bare.map(({ name }) => name)).toEqual([])
})

test('no example holds a token, a key or the password of a person', () => {
  expect(
    text.match(/eyJ[\w-]{10,}\.[\w-]{20,}|\b(?:sk|pk)_(?!anExample)[\w]{12,}|whsec_(?!anExample)[\w+/=]{12,}/g),
  ).toBeNull()
})

test('no reply is called "Default Response"', () => {
  expect(text).not.toContain('Default Response')
})

test('the number of missing descriptions does not grow', () => {
  const SENTENCE = /^[A-Z].*[.!?]$/s
  const bareOperations = operations.filter(
    ({ summary, description }) => summary === undefined || !SENTENCE.test(description ?? ''),
  )
  const bareParameters = operations.flatMap(({ name, parameters }) =>
    parameters.filter(({ description }) => !description).map((parameter) => `${name} ${parameter.name}`),
  )
  const schemas = [
    ...Object.entries(document.components.schemas),
    ...contents.map(({ what, schema }): [string, unknown] => [what, schema]),
  ]
  const bareProperties = schemas.flatMap(([name, schema]) => bareIn(schema, name))
  // The failure shows as many names as there are too many, from the end of the list.
  expect(bareOperations.map(({ name }) => name).slice(UNDESCRIBED.operations)).toEqual([])
  expect(bareParameters.slice(UNDESCRIBED.parameters)).toEqual([])
  expect(bareProperties.slice(UNDESCRIBED.properties)).toEqual([])
})

/**
 * Names the properties of a schema, and of those within it, that have no description. A reference to a component needs
 * a description of its own, because a component means different things in different places.
 */
function bareIn(schema: unknown, at: string): string[] {
  if (Array.isArray(schema)) return schema.flatMap((inner) => bareIn(inner, at))
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, inner]) => {
    if (key !== 'properties' || typeof inner !== 'object' || inner === null) return bareIn(inner, at)
    return Object.entries(inner).flatMap(([name, property]) => {
      const place = `${at}.${name}`
      return [...(isDescribed(property) ? [] : [place]), ...bareIn(property, place)]
    })
  })
}

function isDescribed(property: unknown): boolean {
  if (typeof property !== 'object' || property === null) return false
  return 'description' in property && typeof property.description === 'string' && property.description.trim() !== ''
}
