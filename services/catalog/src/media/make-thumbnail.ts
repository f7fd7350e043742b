import { extname } from 'node:path'
import type { FocalPoint } from '@storefront/contracts'
import { tooManyThumbnails } from '../errors.ts'
import { encodeThumbnail, UnusablePicture } from './encode-picture.ts'
import { createWorkQueue } from './work-queue.ts'

/** Less than the gateway waits for a response. */
const WAIT_MS = 4000
/** A thumbnail takes 5 to 100 ms. */
const MAX_WAITING = 100

export interface PictureFiles {
  read: (path: string) => Promise<Buffer | undefined>
  /** @returns the path of the file of an SVG on this disk */
  locate: (path: string) => Promise<string | undefined>
  focalPointOf: (path: string) => Promise<FocalPoint | undefined>
}

/**
 * Makes thumbnails when they are requested, one at a time: the gateway and browsers cache them, so that each is made
 * rarely.
 * @returns makes the thumbnail of the picture at a path; undefined when there is no such picture, or none that can be
 * read
 */
export function thumbnailMaker({
  read,
  locate,
  focalPointOf,
}: PictureFiles): (picture: string) => Promise<Buffer | undefined> {
  const inTurn = createWorkQueue({ atOnce: 1, maxWaiting: MAX_WAITING, maxWaitMs: WAIT_MS, full: tooManyThumbnails })

  return async (picture) => {
    const isSvg = extname(picture).toLowerCase() === '.svg'
    const source = await (isSvg ? locate(picture) : read(picture))
    if (source === undefined) return undefined
    const focalPoint = await focalPointOf(picture)
    try {
      return await inTurn(() => encodeThumbnail(source, focalPoint))
    } catch (error) {
      if (error instanceof UnusablePicture) return undefined
      throw error
    }
  }
}
