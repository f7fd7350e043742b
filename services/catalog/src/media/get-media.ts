import { hash } from 'node:crypto'
import { extname } from 'node:path'
import { z } from 'zod'
import { SURROGATE_KEY, type App } from '@storefront/chassis'
import { mediaNotFound } from '../errors.ts'
import { openFolderStore } from './folder-store.ts'
import { JPEG, mediaKey, UPLOADS, WEBP } from './media.ts'
import { PLACEHOLDER_SVG } from './placeholder.ts'
import type { MediaStore } from './store.ts'

const TYPES: Record<string, string> = {
  '.svg': 'image/svg+xml',
  '.webp': WEBP,
  '.png': 'image/png',
  '.jpg': JPEG,
}
/** A name says what is in it: a changed picture gets a new name. */
const CACHE_CONTROL = 'public, max-age=31536000, immutable'
/** Segments of plain names only: no dot at the start, so no `..` and no hidden file. */
const SAFE_PATH = /^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*){0,5}$/i
const UPLOADED_PATH = /^uploads\/(med_[0-9a-f]{32})\/[1-9]\d{0,4}\.(?:webp|jpg)$/
/** An SVG that is opened by itself may have its colours, and may not run anything. */
const CONTENT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/** Uploaded pictures from their store; the demo's, and whatever else lies there, from the media folder. */
export function getMediaRoute(app: App, { mediaDir, media }: { mediaDir: string; media: MediaStore }): void {
  const folder = openFolderStore(mediaDir)

  async function find(path: string): Promise<Buffer | undefined> {
    if (path === 'placeholder.svg') return Buffer.from(PLACEHOLDER_SVG)
    if (!path.startsWith(UPLOADS)) return folder.read(path)
    return UPLOADED_PATH.test(path) ? media.read(path) : undefined
  }

  app.get(
    '/media/*',
    {
      config: { access: 'public', errors: ['not_found'] },
      schema: {
        tags: ['Media'],
        summary: 'A picture',
        params: z.object({ '*': z.string().max(500) }),
        produces: [...new Set(Object.values(TYPES))],
        response: { 200: z.unknown(), 304: z.null() },
      },
    },
    async ({ params, url, headers }, reply) => {
      const path = params['*']
      const type = TYPES[extname(path).toLowerCase()]
      // Nothing here needs encoding: an encoded slash or dot would be a second address of the same picture.
      const isPlain = SAFE_PATH.test(path) && !url.split('?', 1)[0]?.includes('%')
      const bytes = isPlain && type !== undefined ? await find(path) : undefined
      if (!bytes || type === undefined) throw mediaNotFound()
      const etag = `"${hash('sha1', bytes, 'base64url')}"`
      const id = UPLOADED_PATH.exec(path)?.[1]
      void reply
        .header('cache-control', CACHE_CONTROL)
        .header(SURROGATE_KEY, id === undefined ? 'media' : `media ${mediaKey(id)}`)
        .header('content-security-policy', CONTENT_POLICY)
        .header('x-content-type-options', 'nosniff')
        .header('etag', etag)
      return isNamed(etag, headers['if-none-match']) ? reply.code(304).send(null) : reply.type(type).send(bytes)
    },
  )
}

function isNamed(etag: string, known: string | undefined): boolean {
  if (known === undefined) return false
  return known.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag)
}
