import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSetting, type Setting } from './setting.ts'

const PAGES = ['/newsletter/confirm', '/newsletter/unsubscribe', '/auth/email/verify', '/auth/password/reset']

let shop: Setting

beforeAll(async () => {
  shop = await createSetting()
})
afterAll(() => shop.stop())

const get = (url: string) => shop.identity.app.inject({ method: 'GET', url })

describe.each(PAGES)('GET %s', (path) => {
  test('is a page that contains no secret and nothing that its content policy forbids', async () => {
    const response = await get(`${path}?token=conf_secret`)
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(response.headers['cache-control']).toBe('private, no-store')
    expect(response.body).not.toContain('secret')
    expect(response.body).not.toMatch(/<script(?![^>]* src=)|<style|style=|\son\w+=|javascript:|https?:/i)
    expect(response.body).toMatch(/^<!doctype html>\n<html lang="en">/)
    for (const tag of ['title', 'h1', 'main', 'noscript']) expect(response.body).toContain(`<${tag}>`)
  })

  test.each(['', '/v1'])('finds its script and its style under the base path %j', async (basePath) => {
    const { body } = await get(path)
    const links = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link = '']) => link)
    const addresses = links.map((link) => new URL(link, `http://shop.example${basePath}${path}`).pathname)
    expect(addresses).toEqual([`${basePath}/auth/pages.css`, `${basePath}/auth/pages.js`])
  })
})

test('only the page for a new password shows its field at once, and password managers recognize it', async () => {
  for (const path of ['/newsletter/confirm', '/newsletter/unsubscribe']) {
    expect((await get(path)).body).not.toContain('<input')
  }
  const confirmation = await get('/auth/email/verify')
  expect(confirmation.body).toMatch(/<div id="current-password" hidden>[^]*autocomplete="current-password"[^]*<\/div>/)
  const { body } = await get('/auth/password/reset')
  expect(body).toMatch(/<label for="password">[^<]+<\/label>\n<input id="password"[^>]* type="password"/)
  expect(body).toContain('autocomplete="new-password"')
  expect(body).toContain('<form method="post"')
})

test.each([
  ['/auth/pages.js', 'text/javascript; charset=utf-8'],
  ['/auth/pages.css', 'text/css; charset=utf-8'],
])('%s has the content type %s', async (path, type) => {
  const response = await get(path)
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, type])
  expect(response.headers['cache-control']).toBe('private, no-store')
})

test('pages are not part of the API description', async () => {
  const { body } = await get('/internal/openapi.json')
  expect(body).not.toContain('pages.js')
  expect(JSON.parse(body).paths['/newsletter/confirm']).not.toHaveProperty('get')
})
