import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { acceptedEncoding, type Encoding } from '../encoding/accepted-encoding.ts'
import { compress } from '../encoding/compress.ts'
import { page, startScript } from './page.ts'

const VIEWER_FOLDER = resolve(import.meta.dirname, '../../viewer')

/** GET /docs: the API reference. All of its files come from this host, so that it also works without the internet. */
export function docsRoutes(app: FastifyInstance, { basePath }: { basePath: string }): void {
  const viewer = readdirSync(VIEWER_FOLDER).find((name) => name.endsWith('.js'))
  if (viewer === undefined)
    throw new Error(`${VIEWER_FOLDER} contains no viewer. Run npm run docs-viewer to download it.`)
  const script = compressedFile(resolve(VIEWER_FOLDER, viewer))

  app.get('/docs', (_request, reply) => reply.type('text/html; charset=utf-8').send(page(basePath, viewer)))
  app.get('/docs/start.js', (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(startScript(basePath)),
  )
  app.get(`/docs/${viewer}`, async (request, reply) => {
    const encoding = acceptedEncoding(request.headers['accept-encoding'])
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    // Its version is part of its name.
    reply.headers({ 'cache-control': 'public, max-age=31536000, immutable', vary: 'Origin, Accept-Encoding' })
    return reply.type('text/javascript; charset=utf-8').send(await script(encoding))
  })
}

/** Reads and compresses a file when it is requested for the first time, once for each encoding. */
function compressedFile(path: string): (encoding: Encoding) => Promise<Buffer> {
  const made = new Map<Encoding, Promise<Buffer>>()
  async function make(encoding: Encoding): Promise<Buffer> {
    const content = await readFile(path)
    return encoding === 'identity' ? content : compress(content, encoding)
  }
  return (encoding) => {
    const known = made.get(encoding) ?? make(encoding)
    made.set(encoding, known)
    return known
  }
}
