import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { acceptedEncoding, type Encoding } from '../encoding/accepted-encoding.ts'
import { compressedContent } from '../encoding/compressed-content.ts'
import { page, startScript } from './page.ts'

const VIEWER_FOLDER = resolve(import.meta.dirname, '../../viewer')

/** The script that shows the API reference. */
interface Viewer {
  /** Of its file, with its version. */
  name: string
  script: (encoding: Encoding) => Promise<Buffer>
}

export function readViewer(): Viewer {
  const name = readdirSync(VIEWER_FOLDER).find((each) => each.endsWith('.js'))
  if (name === undefined)
    throw new Error(`${VIEWER_FOLDER} contains no viewer. Run npm run docs-viewer to download it.`)
  return { name, script: compressedContent(readFileSync(resolve(VIEWER_FOLDER, name))) }
}

/** The API reference. All of its files come from this host, so that it also works without the internet. */
export function docsPage(app: FastifyInstance, { basePath }: { basePath: string }, { name }: Viewer): void {
  app.get('/docs', (_request, reply) => reply.type('text/html; charset=utf-8').send(page(basePath, name)))
}

export function docsScriptRoute(app: FastifyInstance, { basePath }: { basePath: string }): void {
  app.get('/docs/start.js', (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(startScript(basePath)),
  )
}

export function docsViewerRoute(app: FastifyInstance, { name, script }: Viewer): void {
  app.get(`/docs/${name}`, async (request, reply) => {
    const encoding = acceptedEncoding(request.headers['accept-encoding'])
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    // Cached forever, because the version is part of the name.
    reply.headers({ 'cache-control': 'public, max-age=31536000, immutable', vary: 'Origin, Accept-Encoding' })
    return reply.type('text/javascript; charset=utf-8').send(await script(encoding))
  })
}
