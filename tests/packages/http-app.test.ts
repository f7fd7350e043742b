import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  MAX_ADDRESS_BYTES,
  MAX_HEADERS_BYTES,
  SERVICE_ACCESS_PATH,
  SERVICE_OPENAPI_PATH,
  type App,
} from '@storefront/http'
import { HttpError, systemClock, actorSigner, actorVerifier } from '@storefront/service'
import { PERMISSIONS, type Actor } from '@storefront/contracts'
import { actorHeaders, createActorKeys } from '@storefront/service/testing'
import { openApp } from './open-app.ts'

const keys = createActorKeys()
const headers = actorHeaders(keys)
let app: App

beforeAll(async () => {
  app = await openApp({ verifyActor: actorVerifier(keys.publicKey, systemClock) })
  const body = z.object({ name: z.string(), count: z.int().optional() })
  app.post(
    '/things',
    { config: { access: 'public' }, schema: { body, response: { 200: body } } },
    async (request) => request.body,
  )
  app.get(
    '/things/:id',
    { config: { access: 'public' }, schema: { params: z.object({ id: z.string() }) } },
    async ({ params }) => params,
  )
  app.get(
    '/search',
    { config: { access: 'public' }, schema: { querystring: z.object({ q: z.string() }) } },
    async ({ query }) => ({ length: query.q.length }),
  )
  app.get('/mine', { config: { access: 'customer' }, schema: {} }, async ({ actor }) => actor)
  app.delete('/admin/things', { config: { access: { admin: 'catalog:write' } }, schema: {} }, async () => ({
    ok: true,
  }))
  app.get('/admin/self', { config: { access: 'admin-user' }, schema: {} }, async () => ({ ok: true }))
  app.get('/broken', { config: { access: 'public' }, schema: {} }, async () => {
    throw new Error('the password is hunter2')
  })
  app.get('/rejected', { config: { access: 'public' }, schema: {} }, async () => {
    throw new HttpError('conflict', 'This has changed meanwhile.', { detail: { version: 2 } })
  })
})

afterAll(() => app.close())

test('a service limits the time of request headers only, because the gateway ends slow bodies', () => {
  expect(app.server.requestTimeout).toBe(0)
  expect(app.server.headersTimeout).toBeGreaterThan(0)
})

const errorBody = (code: string) => ({
  code,
  message: expect.stringMatching(/\S/),
  requestId: expect.stringMatching(/\S{8}/),
})

describe('bad requests get an error in JSON:', () => {
  test.each([
    ['no JSON', { payload: '{"name":', headers: { 'content-type': 'application/json' } }, 400, 'bad_json'],
    [
      'another content type',
      { payload: 'name=x', headers: { 'content-type': 'text/plain' } },
      415,
      'unsupported_media_type',
    ],
    ['no body', {}, 422, 'validation_failed'],
    ['a wrong type', { payload: { name: 1 } }, 422, 'validation_failed'],
    ['a fraction', { payload: { name: 'x', count: 1.5 } }, 422, 'validation_failed'],
    ['an array', { payload: [] }, 422, 'validation_failed'],
    ['a NUL', { payload: { name: 'a\0b' } }, 422, 'validation_failed'],
    [
      'half a surrogate pair',
      { payload: '{"name":"\\ud800"}', headers: { 'content-type': 'application/json' } },
      422,
      'validation_failed',
    ],
    ['too much', { payload: { name: 'x'.repeat(2 ** 21) } }, 413, 'payload_too_large'],
  ])('%s', async (_name, input, status, code) => {
    const response = await app.inject({ method: 'POST', url: '/things', ...input })
    expect(response.json()).toMatchObject(errorBody(code))
    expect(response.statusCode).toBe(status)
  })

  test.each([
    ['/nowhere', 404, 'not_found'],
    ['/things/%ff', 404, 'not_found'],
    ['/things/a%00b', 422, 'validation_failed'],
    [`/things/${'x'.repeat(1500)}`, 414, 'uri_too_long'],
    ['/broken', 500, 'internal_error'],
    ['/rejected', 409, 'conflict'],
  ])('GET %s', async (url, status, code) => {
    const response = await app.inject({ url })
    expect(response.json()).toMatchObject(errorBody(code))
    expect(response.statusCode).toBe(status)
    expect(response.body).not.toContain('hunter2')
  })

  test('a request with a wrong method gets the list of allowed ones', async () => {
    const response = await app.inject({ method: 'PUT', url: '/things' })
    expect(response.statusCode).toBe(405)
    expect(response.headers.allow).toBe('POST')
  })
})

test('a URL as long as the gateway allows is accepted, even with a single long parameter', async () => {
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const prefix = '/search?q='
  for (const query of [encodeURIComponent('😀').repeat(9000), 'a'.repeat(MAX_ADDRESS_BYTES - prefix.length)]) {
    const response = await fetch(url + prefix + query, { headers: { 'x-long': 'x'.repeat(MAX_HEADERS_BYTES) } })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ length: decodeURIComponent(query).length })
  }
})

describe('a caller', () => {
  test('has the identity that the gateway signed, and none when the signature is wrong', async () => {
    expect((await app.inject({ url: '/mine', headers: headers.customer('cus_1') })).json()).toMatchObject({
      customerId: 'cus_1',
    })
    const forged = actorHeaders(createActorKeys()).customer('cus_1')
    const [payload = '', signature = ''] = headers.customer('cus_1')['x-actor'].split('.')
    const changed = Buffer.from(Buffer.from(payload, 'base64url').toString().replace('cus_1', 'cus_2')).toString(
      'base64url',
    )
    for (const actor of [forged['x-actor'], `${changed}.${signature}`, payload, '', 'x.y', '{"kind":"admin"}']) {
      const response = await app.inject({ url: '/mine', headers: { 'x-actor': actor } })
      expect(response.statusCode, actor).toBe(401)
      expect(response.json()).toMatchObject(errorBody('unauthenticated'))
    }
  })

  test('needs the permission of an admin route', async () => {
    const call = async (actor: Record<string, string>) =>
      (await app.inject({ method: 'DELETE', url: '/admin/things', headers: actor })).statusCode
    expect(await call(headers.anonymous())).toBe(401)
    expect(await call(headers.customer('cus_1'))).toBe(403)
    expect(await call(headers.admin(['catalog:read']))).toBe(403)
    expect(await call(headers.admin(['catalog:write']))).toBe(200)
  })

  test('must be an admin user, and not a secret key, where only an admin user has access', async () => {
    const sign = actorSigner(keys.privateKey, systemClock)
    const call = async (actor: Actor) =>
      (await app.inject({ url: '/admin/self', headers: { 'x-actor': sign(actor) } })).statusCode
    expect(await call({ kind: 'anonymous' })).toBe(401)
    expect(await call({ kind: 'customer', customerId: 'cus_1', sessionId: 'sess_1' })).toBe(403)
    expect(await call({ kind: 'admin', userId: 'key_1', permissions: [...PERMISSIONS] })).toBe(403)
    expect(await call({ kind: 'admin', userId: 'user_1', sessionId: 'sess_1', permissions: [] })).toBe(200)
  })
})

test('a service describes its routes with the access they need', async () => {
  await app.ready()
  const description = (await app.inject({ url: SERVICE_OPENAPI_PATH })).json()
  expect(description.paths['/mine'].get.security).toEqual([{ customer: [] }])
  expect(description.paths['/admin/things'].delete.security).toEqual([{ admin: [] }])
  expect(description.paths[SERVICE_OPENAPI_PATH]).toBeUndefined()
})

test('a service lists the access of each of its routes, including those without a description', async () => {
  const { routes } = (await app.inject({ url: SERVICE_ACCESS_PATH })).json()
  expect(routes).toContainEqual({ method: 'GET', path: '/mine', access: 'customer' })
  expect(routes).toContainEqual({ method: 'DELETE', path: '/admin/things', access: { admin: 'catalog:write' } })
  expect(routes).toContainEqual({ method: 'GET', path: '/admin/self', access: 'admin-user' })
  expect(routes).toContainEqual({ method: 'GET', path: '/healthz', access: 'public' })
  expect(routes).toContainEqual({ method: 'GET', path: SERVICE_OPENAPI_PATH, access: 'internal' })
  expect(routes.filter(({ method }: { method: string }) => method === 'HEAD')).toEqual([])
})

test('a route that does not declare its access cannot be added', async () => {
  const careless = await openApp()
  expect(() => careless.get('/open', {}, async () => ({}))).toThrow('does not declare its access')
  await careless.close()
})
