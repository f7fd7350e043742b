import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, resolve } from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { notFound } from '../errors.ts'
import { acceptedEncoding, type Encoding } from '../encoding/accepted-encoding.ts'
import { compressedContent } from '../encoding/compressed-content.ts'

/** Built by `npm run console`, which `npm start` and the image run. */
const CONSOLE_FOLDER = resolve(import.meta.dirname, '../../../../apps/console/dist')

const CONTENT_TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}
const ALREADY_COMPRESSED = new Set(['.woff2'])

const NOT_BUILT = 'The console has not been built. Run `npm run console`, then start the gateway again.\n'

/** The merchants' console: a page with its files. */
interface Console {
  page: string
  files: Map<string, ConsoleFile>
}

/** @returns undefined while the console is not built */
export function readConsole(basePath: string, folder = CONSOLE_FOLDER): Console | undefined {
  const page = readPage(folder, basePath)
  return page === undefined ? undefined : { page, files: readFiles(folder) }
}

export function consolePage(app: FastifyInstance, built: Console | undefined): void {
  app.get('/console', (_request, reply) => sendPage(reply, built))
}

/** Each screen is an address below the page. */
export function consoleScreenPage(app: FastifyInstance, built: Console | undefined): void {
  app.get('/console/*', (_request, reply) => sendPage(reply, built))
}

export function consoleFileRoute(app: FastifyInstance, built: Console | undefined): void {
  // The page responds here as well.
  if (!built) return
  const { files } = built
  app.get<{ Params: { name: string } }>('/console/assets/:name', async (request, reply) => {
    const file = files.get(request.params.name)
    if (!file) throw notFound()
    const encoding = file.compressible ? acceptedEncoding(request.headers['accept-encoding']) : 'identity'
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    // Cached forever, because a digest of the content is part of the name.
    reply.headers({ 'cache-control': 'public, max-age=31536000, immutable', vary: 'Origin, Accept-Encoding' })
    return reply.type(file.type).send(await file.read(encoding))
  })
}

function sendPage(reply: FastifyReply, built: Console | undefined): FastifyReply {
  if (!built) return reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT)
  const nonce = randomBytes(18).toString('base64')
  const policy = String(reply.getHeader('content-security-policy'))
  return reply
    .headers({
      'cache-control': 'no-store',
      'content-security-policy': policy.replace("style-src 'self'", `style-src 'self' 'nonce-${nonce}'`),
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    })
    .type('text/html; charset=utf-8')
    .send(built.page.replaceAll('__NONCE__', nonce))
}

/** @returns undefined while the console is not built */
function readPage(folder: string, basePath: string): string | undefined {
  try {
    const page = readFileSync(join(folder, 'index.html'), 'utf8')
    return page.replaceAll('./assets/', `${basePath}/console/assets/`).replaceAll('__BASE_PATH__', basePath)
  } catch {
    return undefined
  }
}

interface ConsoleFile {
  type: string
  compressible: boolean
  read: (encoding: Encoding) => Promise<Buffer>
}

/**
 * Reads all files at the start: no name in a request becomes a path, and a new build of the console does not remove
 * files that are still needed.
 */
function readFiles(folder: string): Map<string, ConsoleFile> {
  const assets = join(folder, 'assets')
  return new Map(
    readdirSync(assets).map((name) => {
      const extension = extname(name)
      const type = CONTENT_TYPES[extension] ?? 'application/octet-stream'
      const compressible = !ALREADY_COMPRESSED.has(extension)
      const read = compressedContent(readFileSync(join(assets, name)))
      return [name, { type, compressible, read }]
    }),
  )
}
