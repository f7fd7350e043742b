import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { SERVICE_OPENAPI_PATH, type App } from '@storefront/http'
import { HttpError } from '@storefront/service'
import type { Access, ErrorCode } from '@storefront/contracts'
import { openApp } from './open-app.ts'

async function openFailingApp(more: { undeclaredErrors?: 'reject' } = {}): Promise<App> {
  const app = await openApp(more)
  const failing = (path: string, access: Access, errors?: readonly ErrorCode[]) =>
    app.post(path, { config: { access, ...(errors && { errors }) }, schema: { body: z.object({}) } }, async () => {
      throw new HttpError('conflict', 'This has changed meanwhile.')
    })
  failing('/declared', 'public', ['conflict'])
  failing('/undeclared', 'public')
  failing('/mine', 'customer')
  failing('/admin/self', 'admin-user')
  app.get('/read', { config: { access: 'public' }, schema: {} }, async () => ({}))
  await app.ready()
  return app
}

describe('where undeclared errors are rejected', () => {
  let app: App

  beforeAll(async () => {
    app = await openFailingApp({ undeclaredErrors: 'reject' })
  })
  afterAll(() => app.close())

  const codeOf = async (url: string, payload: unknown = {}) =>
    (await app.inject({ method: 'POST', url, payload: JSON.stringify(payload), headers: JSON_TYPE })).json().code

  test('a code that its route declares is returned, and an undeclared one becomes an internal error', async () => {
    expect(await codeOf('/declared')).toBe('conflict')
    expect(await codeOf('/undeclared')).toBe('internal_error')
  })

  test('codes that follow from the method and the access need no declaration', async () => {
    expect(await codeOf('/declared', [])).toBe('validation_failed')
    expect(await codeOf('/mine')).toBe('unauthenticated')
    expect(await codeOf('/nowhere')).toBe('not_found')
    const noJson = await app.inject({ method: 'POST', url: '/declared', payload: '{', headers: JSON_TYPE })
    expect(noJson.json().code).toBe('bad_json')
  })
})

test('in operation a code that its route does not declare is returned nevertheless', async () => {
  const app = await openFailingApp()
  const response = await app.inject({ method: 'POST', url: '/undeclared', payload: '{}', headers: JSON_TYPE })
  expect(response.json()).toMatchObject({ code: 'conflict' })
  await app.close()
})

test('a service describes which error codes each operation may return', async () => {
  const app = await openFailingApp()
  const { paths } = (await app.inject({ url: SERVICE_OPENAPI_PATH })).json()
  const always = ['internal_error', 'rate_limited', 'service_unavailable', 'validation_failed']
  const withBody = ['bad_json', 'bad_request', 'payload_too_large', 'unsupported_media_type']
  expect(paths['/read'].get['x-errors']).toEqual(always)
  expect(paths['/declared'].post['x-errors']).toEqual([...always, ...withBody, 'conflict'].toSorted())
  expect(paths['/mine'].post['x-errors']).toEqual([...always, ...withBody, 'unauthenticated'].toSorted())
  expect(paths['/admin/self'].post['x-errors']).toEqual(
    [...always, ...withBody, 'unauthenticated', 'forbidden', 'unknown_field'].toSorted(),
  )
  await app.close()
})

const JSON_TYPE = { 'content-type': 'application/json' }
