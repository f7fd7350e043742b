import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, describe, expect, test } from 'vitest'
import { toHttpError } from '@storefront/http'
import { temporaryFolder } from '@storefront/tools/testing'
import { consoleFileRoute, consolePage, consoleScreenPage, readConsole } from './console.ts'

const PAGE =
  '<meta name="base-path" content="__BASE_PATH__"><meta property="csp-nonce" nonce="__NONCE__">' +
  '<script type="module" src="./assets/main-1a2b.js"></script>'
const SCRIPT = `console.log(${JSON.stringify('a script. '.repeat(500))})`
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'"

let app: FastifyInstance

afterEach(() => app.close())

async function serve({ built = true, basePath = '' } = {}): Promise<void> {
  const folder = await temporaryFolder('console')
  if (built) {
    await mkdir(join(folder, 'assets'))
    await writeFile(join(folder, 'index.html'), PAGE)
    await writeFile(join(folder, 'assets/main-1a2b.js'), SCRIPT)
    await writeFile(join(folder, 'secret.txt'), 'secret')
  }
  app = fastify()
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('content-security-policy', POLICY)
    done()
  })
  app.setErrorHandler((error, _request, reply) => reply.code(toHttpError(error).status).send())
  const site = readConsole(basePath, folder)
  consolePage(app, site)
  consoleScreenPage(app, site)
  consoleFileRoute(app, site)
}

describe('the page of the console', () => {
  test('is the same at each address below /console, and is not stored', async () => {
    await serve()
    for (const url of ['/console', '/console/', '/console/orders/ord_1?tab=notes']) {
      const response = await app.inject(url)
      expect(response.statusCode, url).toBe(200)
      expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(response.headers['cache-control']).toBe('no-store')
      expect(response.body).toContain('src="/console/assets/main-1a2b.js"')
    }
  })

  test('allows the styles of its components by a nonce that is new each time', async () => {
    await serve()
    const nonces = await Promise.all(
      [1, 2].map(async () => {
        const { headers, body } = await app.inject('/console')
        const nonce = /nonce="([^"]+)"/.exec(body)?.[1]
        expect(headers['content-security-policy']).toBe(`${POLICY} 'nonce-${nonce}'`)
        return nonce
      }),
    )
    expect(new Set(nonces).size).toBe(2)
  })

  test('contains the base path of the shop', async () => {
    await serve({ basePath: '/v1' })
    const { body } = await app.inject('/console')
    expect(body).toContain('content="/v1"')
    expect(body).toContain('src="/v1/console/assets/main-1a2b.js"')
  })

  test('names the command that builds the console while it is not built', async () => {
    await serve({ built: false })
    const response = await app.inject('/console/orders')
    expect(response.statusCode).toBe(503)
    expect(response.body).toContain('npm run console')
  })
})

describe('a file of the console', () => {
  test('is compressed, and cached by browsers, because its name changes with its content', async () => {
    await serve()
    const response = await app.inject({ url: '/console/assets/main-1a2b.js', headers: { 'accept-encoding': 'br' } })
    expect(response.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    expect(brotliDecompressSync(response.rawPayload).toString()).toBe(SCRIPT)
  })

  test.each(['missing.js', '..%2Fsecret.txt', '../secret.txt', '..%2f..%2fpackage.json'])(
    'is not found at %s',
    async (name) => {
      await serve()
      const response = await app.inject(`/console/assets/${name}`)
      expect(response.body).not.toContain('secret')
      expect(response.body).not.toContain('"name"')
      expect(response.statusCode === 404 || response.body.includes('base-path')).toBe(true)
    },
  )
})
