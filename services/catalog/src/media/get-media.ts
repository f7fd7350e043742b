import { hash } from 'node:crypto'
import { extname } from 'node:path'
import { z } from 'zod'
import { SURROGATE_KEY, type App } from '@storefront/http'
import { limitConcurrency } from '@storefront/service'
import { pictureOfThumbnail, type FocalPoint } from '@storefront/contracts'
import type { CatalogContext } from '../context.ts'
import type { Database } from '../database.ts'
import { mediaNotFound, tooManyThumbnails } from '../errors.ts'
import { encodeThumbnail, UnusablePicture } from './encode-picture.ts'
import { openFolderStore } from './folder-store.ts'
import { findMedia } from './media.queries.ts'
import { isSafePath, JPEG, mediaKey, uploadAt, UPLOADS, WEBP } from './media.ts'
import { PLACEHOLDER_FILE, PLACEHOLDER_SVG } from './placeholder.ts'

const TYPES: Record<string, string> = {
  '.svg': 'image/svg+xml',
  '.webp': WEBP,
  '.png': 'image/png',
  '.jpg': JPEG,
}
/** A changed picture gets a new name, so that a name always has the same content. */
const CACHE_CONTROL = 'public, max-age=31536000, immutable'
/** For the thumbnail of an upload: when its focal point changes, gateways purge it and browsers revalidate it. */
const CHANGEABLE = 'public, max-age=60, s-maxage=86400'
/** An SVG that is opened directly may be styled, and must not run scripts. */
const CONTENT_POLICY =
  "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; style-src 'unsafe-inline'; sandbox"

const PLACEHOLDER = 'placeholder.svg'

/** The timeout for making a thumbnail, shorter than that of the gateway. */
const WAIT_MS = 4000
/** A thumbnail takes 5 to 100 ms. */
const MAX_WAITING = 100

/**
 * Uploaded pictures from their store; the demo's and other pictures from the media folder; and thumbnails of all of
 * them.
 */
export function getMediaRoute(app: App, context: CatalogContext): void {
  const find = pictureFinder(context)
  app.get('/media/*', {
    config: { access: 'public', errors: ['not_found'] },
    schema: {
      summary: 'A picture',
      description:
        'Every picture has a thumbnail for mails: a JPEG of 192 by 240 pixels at `/media/thumbnails/<path>.jpg`, where ' +
        'the picture is at `/media/<path>`.',
      params: z.object({
        '*': z.string().max(500).describe("The part of a picture's `url` after `/media/`."),
      }),
      produces: [...new Set(Object.values(TYPES))],
      response: { 200: z.unknown(), 304: z.null() },
    },
    handler: async ({ params, url, headers }, reply) => {
      const path = params['*']
      const type = TYPES[extname(path).toLowerCase()]
      // No character here needs encoding, and an encoded slash or dot would be another address of the same picture.
      const isPlain = isSafePath(path) && !url.split('?', 1)[0]?.includes('%')
      const bytes = isPlain && type !== undefined ? await find(path) : undefined
      if (!bytes || type === undefined) throw mediaNotFound()
      const etag = `"${hash('sha1', bytes, 'base64url')}"`
      const picture = pictureOfThumbnail(path)
      const id = uploadAt(picture ?? path)?.id
      const isChangeable = id !== undefined && picture !== undefined
      void reply
        .header('cache-control', isChangeable ? CHANGEABLE : CACHE_CONTROL)
        .header(SURROGATE_KEY, id === undefined ? 'media' : `media ${mediaKey(id)}`)
        .header('content-security-policy', CONTENT_POLICY)
        .header('x-content-type-options', 'nosniff')
        .header('etag', etag)
      return isNamed(etag, headers['if-none-match']) ? reply.code(304).send(null) : reply.type(type).send(bytes)
    },
  })
}

/**
 * Makes thumbnails when they are requested, one at a time. The gateway and browsers cache them, so each is made rarely.
 * @returns a function that finds the file at a path below /media; undefined when there is none, or no thumbnail of it
 * can be made
 */
function pictureFinder({ db, mediaDir, media }: CatalogContext): (path: string) => Promise<Buffer | undefined> {
  const folder = openFolderStore(mediaDir)
  const serialize = limitConcurrency({ atOnce: 1, waiting: MAX_WAITING, maxWaitMs: WAIT_MS, error: tooManyThumbnails })

  async function read(path: string): Promise<Buffer | undefined> {
    if (path === PLACEHOLDER) return PLACEHOLDER_SVG
    if (!path.startsWith(UPLOADS)) return folder.read(path)
    return uploadAt(path) ? media.read(path) : undefined
  }
  /** @returns the path of the file of an SVG on this disk */
  async function locate(path: string): Promise<string | undefined> {
    if (path === PLACEHOLDER) return PLACEHOLDER_FILE
    return path.startsWith(UPLOADS) ? undefined : folder.locate(path)
  }

  return async (path) => {
    const picture = pictureOfThumbnail(path)
    if (picture === undefined) return read(path)
    const extension = extname(picture).toLowerCase()
    if (!(extension in TYPES)) return undefined
    const source = await (extension === '.svg' ? locate(picture) : read(picture))
    if (source === undefined) return undefined
    const focalPoint = await findFocalPoint(db, picture)
    try {
      return await serialize(() => encodeThumbnail(source, focalPoint))
    } catch (error) {
      if (error instanceof UnusablePicture) return undefined
      throw error
    }
  }
}

async function findFocalPoint(db: Database, path: string): Promise<FocalPoint | undefined> {
  const upload = uploadAt(path)
  const [row] = upload ? await findMedia(db, [upload.id]) : []
  return row?.focalPoint ?? undefined
}

function isNamed(etag: string, known: string | undefined): boolean {
  if (known === undefined) return false
  return known.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag)
}
