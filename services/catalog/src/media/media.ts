import { createHash } from 'node:crypto'
import { z } from 'zod'
import { OpaqueId, type FocalPoint, type Media } from '@storefront/contracts'
import { absoluteUrl } from '../products/product-response.ts'

/**
 * The widths in pixels of a picture's sizes, if it is wide enough, in addition to its own width up to the largest.
 */
export const WIDTHS = [320, 640, 960, 1280, 1920] as const
/** Part of each id. Change it with the encoding, because the content of an address must never change. */
const ENCODING = 'webp-80-jpeg-82-1'
/** All files below this folder belong to uploads. Those without a row are removed after a day. */
export const UPLOADS = 'uploads/'
export const WEBP = 'image/webp'
export const JPEG = 'image/jpeg'
const MAX_NAME_CHARACTERS = 200

/** An uploaded picture in a path below /admin. */
export const MediaParams = z.object({
  id: OpaqueId.describe('Id of an uploaded picture, as GET /admin/media lists it.'),
})

export interface StoredSize {
  width: number
  height: number
  bytes: number
}

export interface StoredMedia {
  id: string
  name: string
  alt: string | null
  /** The smallest first. */
  sizes: StoredSize[]
  jpegBytes: number
  createdAt: Date
  focalPoint: FocalPoint | null
}

/** The same bytes always have the same id. */
export function mediaIdOf(bytes: Buffer): string {
  return `med_${createHash('sha256').update(ENCODING).update(bytes).digest('hex').slice(0, 32)}`
}

/** The folder of the files of one upload, with a trailing slash. */
export function folderOf(id: string): string {
  return `${UPLOADS}${id}/`
}

export function webpPath(id: string, width: number): string {
  return `${folderOf(id)}${width}.webp`
}

export function jpegPath(id: string, width: number): string {
  return `${folderOf(id)}${width}.jpg`
}

/** Segments of plain names only: no dot at the start, so no `..` and no hidden file. */
const SAFE_PATH = /^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*){0,6}$/i
const UPLOADED_PATH = /^uploads\/(med_[0-9a-f]{32})\/([1-9]\d{0,4})\.(?:webp|jpg)$/

export function isSafePath(path: string): boolean {
  return SAFE_PATH.test(path)
}

/** @param path below /media, as `uploads/med_…/640.webp`. @returns the file and upload that it names */
export function uploadAt(path: string): { id: string; width: number } | undefined {
  const [, id, width] = UPLOADED_PATH.exec(path) ?? []
  return id === undefined ? undefined : { id, width: Number(width) }
}

/** Every file an upload consists of. */
export function pathsOf({ id, sizes }: { id: string; sizes: readonly { width: number }[] }): string[] {
  const widths = sizes.map(({ width }) => width)
  return [...widths.map((width) => webpPath(id, width)), jpegPath(id, Math.max(...widths))]
}

/** The displayable part of an uploaded file's name: no path, no invisible characters, of limited length. */
export function readableName(sent: string): string {
  const name = sent
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\p{C}\p{Z}\s]+/gu, ' ')
    .split(/[/\\]/)
    .at(-1)
    ?.trim()
  return (
    Array.from(name ?? '')
      .slice(0, MAX_NAME_CHARACTERS)
      .join('')
      .trim() || 'picture'
  )
}

/** The surrogate key of the files of one upload. */
export function mediaKey(id: string): string {
  return `media:${id}`
}

export function mediaResponse(media: StoredMedia, publicUrl: string): Media {
  const { id, name, alt, sizes, jpegBytes, createdAt, focalPoint } = media
  const largest = sizes.at(-1)
  if (!largest) throw new Error(`media ${id} has no sizes`)
  const urlOf = (path: string) => absoluteUrl(`/media/${path}`, publicUrl)
  const { width, height, bytes } = largest
  return {
    id,
    url: urlOf(webpPath(id, width)),
    path: `/media/${webpPath(id, width)}`,
    width,
    height,
    bytes,
    type: 'image',
    duration: null,
    contentType: WEBP,
    name,
    ...(alt !== null && { alt }),
    focalPoint,
    createdAt: createdAt.toISOString(),
    sizes: sizes.map((size) => ({ url: urlOf(webpPath(id, size.width)), ...size })),
    jpeg: { url: urlOf(jpegPath(id, width)), width, height, bytes: jpegBytes },
  }
}
