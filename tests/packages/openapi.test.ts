import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { SERVICE_OPENAPI_PATH, type App } from '@storefront/http'
import { openApp } from './open-app.ts'

const Thing = z.object({ name: z.string() })
const THING = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
const PUBLIC = { access: 'public' } as const

let app: App
let paths: Record<string, Record<string, unknown>>

beforeAll(async () => {
  app = await openApp()
  const take = (path: string, body: z.ZodType) =>
    app.post(path, { config: PUBLIC, schema: { body } }, async (request) => ({ body: request.body ?? 'nothing' }))
  take('/needed', Thing)
  take('/nullish/:id', Thing.nullish())
  take('/nullable', Thing.nullable())
  take('/optional', Thing.optional())
  take(
    '/turned',
    z.preprocess((body) => body ?? {}, Thing.partial()),
  )
  take('/named', Thing.meta({ id: 'NamedThing', description: 'A thing with a name' }).nullish())
  app.addContentTypeParser('text/csv', (_request, _payload, done) => done(null, undefined))
  app.post(
    '/several',
    {
      config: PUBLIC,
      schema: {
        consumes: ['application/json', 'text/csv'],
        produces: ['application/json', 'application/x-ndjson', 'image/webp'],
        body: Thing.nullish(),
        response: { 200: Thing, 202: z.object({}), 304: z.null() },
      },
    },
    async ({ body }) => body ?? { name: 'unread' },
  )
  app.post(
    '/form',
    { config: PUBLIC, schema: { consumes: ['multipart/form-data'], body: z.unknown().meta({ type: 'object' }) } },
    async () => ({}),
  )
  app.post('/bodiless', { config: PUBLIC, schema: { response: { 200: Thing } } }, async () => ({ name: '' }))
  const access = { admin: 'catalog:read' } as const
  app.post('/explained', { config: { access }, schema: { description: 'Explains itself.' } }, async () => ({}))
  app.post('/unexplained', { config: { access }, schema: {} }, async () => ({}))
  app.get('/silent', { config: PUBLIC }, async () => ({}))
  await app.ready()
  paths = (await app.inject({ url: SERVICE_OPENAPI_PATH })).json().paths
})

afterAll(() => app.close())

const operation = (path: string) => z.looseObject({ requestBody: z.looseObject({}) }).parse(paths[path]?.['post'])

describe('a body', () => {
  test.each([
    ['/needed', true],
    ['/nullish/{id}', false],
    ['/nullable', false],
    // Fastify passes null for a missing body, which this schema rejects: so the body is required.
    ['/optional', true],
    ['/turned', false],
    ['/named', false],
  ])('%s is described as required when a request without it is rejected: %s', async (path, required) => {
    expect(operation(path).requestBody['required']).toBe(required)
    const { statusCode } = await app.inject({ method: 'POST', url: path })
    expect(statusCode).toBe(required ? 422 : 200)
  })

  test('that is optional is described with the schema of a body that is present', () => {
    const content = { 'application/json': { schema: THING } }
    for (const path of ['/needed', '/nullish/{id}', '/nullable', '/optional']) {
      expect(operation(path).requestBody['content'], path).toEqual(content)
    }
    expect(operation('/named').requestBody['content']).toEqual({
      'application/json': { schema: { $ref: '#/components/schemas/NamedThingInput' } },
    })
  })

  test('is not described where a route accepts none', () => {
    expect(paths['/bodiless']?.['post']).not.toHaveProperty('requestBody')
    expect(paths['/silent']?.['get']).not.toHaveProperty('requestBody')
  })
})

describe('a route with several content types', () => {
  test('describes all that it accepts, and requires one of them', async () => {
    expect(operation('/several').requestBody).toEqual({
      required: true,
      content: { 'application/json': { schema: THING }, 'text/csv': { schema: { type: 'string' } } },
    })
    expect(operation('/form').requestBody).toEqual({
      required: true,
      content: { 'multipart/form-data': { schema: { type: 'object' } } },
    })
  })

  test('describes all that it returns, whatever the status', () => {
    const contentWith = (schema: object) => ({
      'application/json': { schema: { ...schema, additionalProperties: false } },
      'application/x-ndjson': { schema: { type: 'string' } },
      'image/webp': { schema: { type: 'string', format: 'binary' } },
    })
    expect(operation('/several')).toMatchObject({
      responses: { 200: { content: contentWith(THING) }, 202: { content: contentWith({ type: 'object' }) } },
    })
  })

  test('describes none of them for a status without a body', () => {
    expect(operation('/several')).toHaveProperty('responses.304', { description: 'Default Response' })
  })

  test('parses each of them', async () => {
    const send = async (type: string, payload: string) => {
      const response = await app.inject({ method: 'POST', url: '/several', payload, headers: { 'content-type': type } })
      return [response.statusCode, response.json().name]
    }
    expect(await send('application/json', '{"name":"one"}')).toEqual([200, 'one'])
    expect(await send('text/csv', 'name\none')).toEqual([200, 'unread'])
    expect(await send('application/json', '{}')).toEqual([422, undefined])
  })
})

test('the description of a route precedes the permission that it needs', () => {
  const permission = 'Needs the permission `catalog:read`.'
  expect(paths['/explained']).toHaveProperty('post.description', `Explains itself. ${permission}`)
  expect(paths['/unexplained']).toHaveProperty('post.description', permission)
})

test('every operation has a name, by which generators of clients call it', () => {
  expect(paths['/nullish/{id}']).toHaveProperty('post.operationId', 'postNullishById')
  expect(paths['/silent']).toHaveProperty('get.operationId', 'getSilent')
})

test('the description has no internal fields except the error codes, which the gateway needs', () => {
  expect(JSON.stringify(paths).replaceAll('"x-errors":', '')).not.toMatch(/"x-|"null"/)
})
