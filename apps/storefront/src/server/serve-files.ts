import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { App } from './storefront.ts'

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** A file with a hash in its name never changes. */
const CACHE_FOREVER = 'public, max-age=31536000, immutable'
/** The browser checks again, such as for a new version of the service worker. */
const CACHE_CHECKED = 'public, max-age=0, must-revalidate'

/**
 * Serves what the build wrote for browsers. The few small files are read once, at the start: no address leads to
 * another file of this server.
 */
export function serveFiles(app: App, folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const type = TYPES[extname(name)]
    if (type === undefined) continue
    const path = `/${name.replaceAll('\\', '/')}`
    const body = readFileSync(join(folder, name))
    const etag = `"${createHash('sha1').update(body).digest('base64url')}"`
    const cacheControl = path.startsWith('/assets/') ? CACHE_FOREVER : CACHE_CHECKED
    app.get(path, (request, reply) => {
      void reply.header('etag', etag).header('cache-control', cacheControl).header('vary', 'Accept-Encoding')
      if (request.headers['if-none-match'] === etag) return reply.code(304).send()
      return reply.type(type).send(body)
    })
  }
}
