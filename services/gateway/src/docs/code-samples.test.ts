import { expect, test } from 'vitest'
import { codeSamples } from './code-samples.ts'
import type { Example } from './examples.ts'

const EXAMPLE: Example = { caller: 'anonymous', path: {}, query: {}, headers: {}, bodies: {}, replies: {} }
const JSON_REPLY = { 200: { 'application/json': {} } }

function samplesOf(method: string, path: string, operation: Record<string, unknown>, example: Partial<Example>) {
  const [curl, client] = codeSamples({ method, path, operation }, { ...EXAMPLE, replies: JSON_REPLY, ...example })
  return { curl: curl?.source, client: client?.source }
}

test('a read without parameters is only a URL, and a call without options', () => {
  expect(samplesOf('get', '/storefront', {}, {})).toEqual({
    curl: 'curl "$SHOP/storefront"',
    client: "const reply = await shop.get('/storefront')",
  })
})

test('parameters are encoded in a URL, and have their types in a call', () => {
  const parameters = [
    { in: 'query', name: 'per_page', schema: { type: 'integer' } },
    { in: 'query', name: 'q', schema: { type: 'string' } },
  ]
  const example = { path: { slug: 'a/b' }, query: { per_page: '2', q: '100% linen' } }
  expect(samplesOf('get', '/products/{slug}/reviews', { parameters }, example)).toEqual({
    curl: 'curl "$SHOP/products/a%2Fb/reviews?per_page=2&q=100%25%20linen"',
    client: [
      "const reply = await shop.get('/products/{slug}/reviews', {",
      "  params: { path: { slug: 'a/b' }, query: { per_page: 2, q: '100% linen' } },",
      '})',
    ].join('\n'),
  })
})

test('a write has its token, its headers and its body, quoted for a shell', () => {
  const example = {
    caller: 'admin' as const,
    headers: { 'if-match': '"etag"' },
    bodies: { 'application/json': { name: "Grace's" } },
  }
  expect(samplesOf('patch', '/admin/storefront', { requestBody: {} }, example)).toEqual({
    curl: [
      'curl "$SHOP/admin/storefront" \\',
      '  -X PATCH \\',
      '  -H "authorization: Bearer $TOKEN" \\',
      `  -H 'if-match: "etag"' \\`,
      "  -H 'content-type: application/json' \\",
      String.raw`  -d '{ "name": "Grace'\''s" }'`,
    ].join('\n'),
    client: [
      "const reply = await shop.patch('/admin/storefront', {",
      `  headers: { 'if-match': '"etag"' },`,
      String.raw`  body: { name: 'Grace\'s' },`,
      '})',
    ].join('\n'),
  })
})

test('a form is sent with its files', () => {
  const bodies = { 'multipart/form-data': { file: 'shirt.png', alt: 'A shirt' } }
  const { curl, client } = samplesOf('post', '/admin/media', { requestBody: {} }, { bodies })
  expect(curl).toContain("-F 'file=@shirt.png' \\\n  -F 'alt=A shirt'")
  expect(client).toContain("form.append('file', file, 'shirt.png')\nform.append('alt', 'A shirt')\n")
})

test('a response that is not JSON is read as text, and an image as bytes', () => {
  const text = { replies: { 200: { 'text/html': '<p>' } } }
  expect(samplesOf('get', '/preview', {}, text).client).toContain("parseAs: 'text'")
  expect(samplesOf('get', '/media/{*}', {}, { replies: {} }).client).toContain("parseAs: 'blob'")
})
