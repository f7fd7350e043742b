import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { sendCompressed } from './send-compressed.ts'
import type { App } from './storefront.ts'

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** Pictures and typefaces are compressed already. */
const COMPRESSED = new Set(['.css', '.html', '.js', '.svg'])

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
    const file = { body, encoded: new Map<string, Promise<Buffer>>() }
    const etag = `"${createHash('sha1').update(body).digest('base64url')}"`
    const isAsset = path.startsWith('/assets/')
    const cacheControl = isAsset ? CACHE_FOREVER : CACHE_CHECKED
    app.get(path, (request, reply) => {
      void reply.header('etag', etag).header('cache-control', cacheControl).header('vary', 'Accept-Encoding')
      // Not the long policy of pages. That of the service worker counts for what it does.
      if (isAsset) void reply.header('content-security-policy', "default-src 'none'")
      if (request.headers['if-none-match'] === etag) return reply.code(304).send()
      void reply.type(type)
      if (!COMPRESSED.has(extname(name))) return reply.send(body)
      return sendCompressed(file, { request, reply, quality: 11 })
    })
  }
}
