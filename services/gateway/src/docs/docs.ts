import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { acceptedEncoding } from '../encoding/accepted-encoding.ts'
import { compressedContent } from '../encoding/compressed-content.ts'
import { page, startScript } from './page.ts'

const VIEWER_FOLDER = resolve(import.meta.dirname, '../../viewer')

/** GET /docs: the API reference. All of its files come from this host, so that it also works without the internet. */
export function docsRoutes(app: FastifyInstance, { basePath }: { basePath: string }): void {
  const viewer = readdirSync(VIEWER_FOLDER).find((name) => name.endsWith('.js'))
  if (viewer === undefined)
    throw new Error(`${VIEWER_FOLDER} contains no viewer. Run npm run docs-viewer to download it.`)
  const script = compressedContent(readFileSync(resolve(VIEWER_FOLDER, viewer)))

  app.get('/docs', (_request, reply) => reply.type('text/html; charset=utf-8').send(page(basePath, viewer)))
  app.get('/docs/start.js', (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(startScript(basePath)),
  )
  app.get(`/docs/${viewer}`, async (request, reply) => {
    const encoding = acceptedEncoding(request.headers['accept-encoding'])
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    // Cached forever, because the version is part of the name.
    reply.headers({ 'cache-control': 'public, max-age=31536000, immutable', vary: 'Origin, Accept-Encoding' })
    return reply.type('text/javascript; charset=utf-8').send(await script(encoding))
  })
}
