import { open } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { z } from 'zod'
import type { App } from '@storefront/chassis'
import { mediaNotFound } from '../errors.ts'
import { PLACEHOLDER_SVG } from './placeholder.ts'

const TYPES: Record<string, string> = {
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
}
/** A name says what is in it: a changed picture gets a new name. */
const CACHE_CONTROL = 'public, max-age=31536000, immutable'
/** Segments of plain names only: no dot at the start, so no `..` and no hidden file. */
const SAFE_PATH = /^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*){0,5}$/i

/** Pictures from the media folder. An SVG opened by itself may not run anything. */
export function getMediaRoute(app: App, { mediaDir }: { mediaDir: string }): void {
  app.get(
    '/media/*',
    {
      config: { access: 'public' },
      schema: { tags: ['Media'], summary: 'A picture', params: z.object({ '*': z.string().max(500) }) },
    },
    async ({ params }, reply) => {
      const path = params['*']
      const type = TYPES[extname(path).toLowerCase()]
      if (type === undefined || !SAFE_PATH.test(path)) throw mediaNotFound()
      const bytes = path === 'placeholder.svg' ? Buffer.from(PLACEHOLDER_SVG) : await readPicture(join(mediaDir, path))
      return reply
        .type(type)
        .header('cache-control', CACHE_CONTROL)
        .header('surrogate-key', 'media')
        .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
        .header('x-content-type-options', 'nosniff')
        .send(bytes)
    },
  )
}

async function readPicture(path: string): Promise<Buffer> {
  try {
    await using file = await open(path, 'r')
    return await file.readFile()
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EISDIR')) {
      throw mediaNotFound()
    }
    throw error
  }
}
