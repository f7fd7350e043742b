import sharp, { type Metadata } from 'sharp'
import { THUMBNAIL, type FocalPoint } from '@storefront/contracts'
import { WIDTHS } from './media.ts'

/** The limit of pixels: a file of a few kilobytes can expand to gigabytes. */
const MAX_PIXELS = 50_000_000
/** The longest side of a WebP. The decoder holds many rows in memory: 16 of three million pixels took 6.5 GB. */
const MAX_SIDE = 16_383
/** The memory of one decoder. With six forms and an import, catalog needs 733 MiB of its 1 GiB. */
const MAX_DECODER_BYTES = 225_000_000
/** Bytes of memory per decoded byte (measured), for formats that are not decoded row by row. */
const MEMORY_FACTORS: Readonly<Record<string, number>> = { heif: 6, gif: 2, webp: 1.5 }
const INTERLACED_MEMORY_FACTOR = 2.5
const MAX_WIDTH = WIDTHS[WIDTHS.length - 1] ?? 1920
/** The limit for very tall pictures, far below the 16,383 pixels of WebP. */
const MAX_HEIGHT = 3840
const STEP_SECONDS = 8
const WEBP_OPTIONS = { quality: 80, effort: 3 }
const JPEG_OPTIONS = { quality: 82 }

// One thread, and only the decoders of accepted formats, so that no PDF and no script is ever parsed. An SVG is read
// only from a file of the shop: for bytes, as of an upload, its decoder stays blocked.
sharp.concurrency(1)
sharp.cache(false)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    ...['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif'].map((kind) => `VipsForeignLoad${kind}Buffer`),
    'VipsForeignLoadSvgFile',
  ],
})

export interface EncodedPicture {
  /** WebP files, the smallest first. */
  sizes: { width: number; height: number; content: Buffer }[]
  /** The largest size, without transparency. */
  jpeg: Buffer
}

/** The message is the predicate of a sentence about the file, such as `is damaged or incomplete`. */
export class UnusablePicture extends Error {}

/**
 * Converts an uploaded picture into those that the shop shows: upright, in sRGB, without camera metadata, and in
 * several widths. The format is detected from the bytes. An animation is represented by its first frame.
 * @throws UnusablePicture
 */
export async function encodePicture(bytes: Buffer): Promise<EncodedPicture> {
  await check(bytes)
  const { data, info } = await decode(bytes)
  const { width, height, channels } = info
  const largest = () => sharp(data, { raw: { width, height, channels } }).timeout({ seconds: STEP_SECONDS })
  const sizes: EncodedPicture['sizes'] = []
  for (const wanted of [...WIDTHS.filter((one) => one < width), width]) {
    const made = await largest().resize({ width: wanted }).webp(WEBP_OPTIONS).toBuffer({ resolveWithObject: true })
    sizes.push({ width: made.info.width, height: made.info.height, content: made.data })
  }
  return { sizes, jpeg: await largest().flatten({ background: '#ffffff' }).jpeg(JPEG_OPTIONS).toBuffer() }
}

/**
 * Reads a picture as encodePicture does, without encoding it.
 * @returns the size of the largest file that encodePicture would make
 * @throws UnusablePicture
 */
export async function measurePicture(bytes: Buffer): Promise<{ width: number; height: number }> {
  await check(bytes)
  const { info } = await decode(bytes)
  return { width: info.width, height: info.height }
}

const MIDDLE: FocalPoint = { x: 0.5, y: 0.5 }

/**
 * Makes the thumbnail of a picture, without transparency and always of the same size, which mails rely on.
 * @param picture the bytes of a picture, or the path of an SVG on the disk of this server
 * @param focalPoint what stays visible when it is cropped
 * @throws UnusablePicture
 */
export async function encodeThumbnail(picture: Buffer | string, focalPoint = MIDDLE): Promise<Buffer> {
  return orUnusable(async () => {
    const size = coverSize((await check(picture)).autoOrient)
    return sharp(picture, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
      .timeout({ seconds: STEP_SECONDS })
      .autoOrient()
      .resize({ ...size, fit: 'fill' })
      .extract({ ...cutOut(size, focalPoint), ...THUMBNAIL })
      .toColourspace('srgb')
      .flatten({ background: '#ffffff' })
      .jpeg(JPEG_OPTIONS)
      .toBuffer()
  })
}

interface Size {
  width: number
  height: number
}

/** The smallest size of a picture that covers the thumbnail. */
function coverSize({ width, height }: Size): Size {
  const scale = Math.max(THUMBNAIL.width / width, THUMBNAIL.height / height)
  return {
    width: Math.max(THUMBNAIL.width, Math.round(width * scale)),
    height: Math.max(THUMBNAIL.height, Math.round(height * scale)),
  }
}

/** Like `object-position` in CSS: the point is at the same percentage of the thumbnail as of the picture. */
function cutOut({ width, height }: Size, { x, y }: FocalPoint): { left: number; top: number } {
  return { left: Math.round((width - THUMBNAIL.width) * x), top: Math.round((height - THUMBNAIL.height) * y) }
}

/** The displayed size of a picture, upright. @returns undefined when the bytes are not an accepted picture */
export async function readPictureSize(bytes: Buffer): Promise<{ width: number; height: number } | undefined> {
  // Only the header is read here.
  const { autoOrient } = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => ({ autoOrient: undefined }))
  return autoOrient && autoOrient.width > 0 && autoOrient.height > 0 ? autoOrient : undefined
}

/** @throws UnusablePicture */
async function check(picture: Buffer | string): Promise<Metadata> {
  if (picture.length === 0) throw new UnusablePicture('is empty')
  // Only the header is read here, so that a picture that is too large is reported as such.
  const metadata = await sharp(picture, { limitInputPixels: false })
    .metadata()
    .catch((error: unknown) => {
      const isUnknown = error instanceof Error && error.message.includes('unsupported image format')
      throw isUnknown ? unknownKind() : new UnusablePicture('is damaged or incomplete')
    })
  const { format, compression, width, height } = metadata
  if (format === 'heif' && compression !== 'av1') throw unknownKind()
  const found = `has ${width} × ${height} pixels; the maximum is`
  if (Math.max(width, height) > MAX_SIDE) throw new UnusablePicture(`${found} ${MAX_SIDE} on each side`)
  const maxPixels = maxPixelsOf(metadata)
  if (width * height <= maxPixels) return metadata
  const millions = (pixels: number) => `${Math.floor(pixels / 100_000) / 10} million`
  const advice = maxPixels === MAX_PIXELS ? '' : `, or ${millions(MAX_PIXELS)} in a JPEG that is not progressive`
  throw new UnusablePicture(`${found} ${millions(maxPixels)}${advice}`)
}

function maxPixelsOf({ format, channels, depth, isProgressive }: Metadata): number {
  const factor = MEMORY_FACTORS[format] ?? (isProgressive ? INTERLACED_MEMORY_FACTOR : 1)
  return Math.min(MAX_PIXELS, MAX_DECODER_BYTES / (channels * (depth === 'uchar' ? 1 : 2) * factor))
}

function unknownKind(): UnusablePicture {
  return new UnusablePicture('is not a JPEG, PNG, WebP, AVIF or GIF picture')
}

function decode(bytes: Buffer) {
  return orUnusable(() =>
    sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
      .timeout({ seconds: STEP_SECONDS })
      .autoOrient()
      .resize({ width: MAX_WIDTH, height: MAX_HEIGHT, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true }),
  )
}

/** @throws UnusablePicture */
async function orUnusable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const isSlow = error instanceof Error && error.message.startsWith('timeout')
    throw new UnusablePicture(isSlow ? 'takes too long to decode' : 'is damaged or incomplete', { cause: error })
  }
}
