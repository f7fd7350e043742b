import type { ConcurrencyLimit } from '@storefront/service'
import type { Database } from '../database.ts'
import { encodePicture, measurePicture } from './encode-picture.ts'
import { findMedia } from './media.queries.ts'
import { mediaIdOf, pathsOf, type StoredSize } from './media.ts'
import type { MediaStore } from './store.ts'
import { isComplete, putFiles } from './store-pictures.ts'

/** A picture in the shop's store. Its address is that of its largest size. */
interface PictureFiles {
  id: string
  width: number
  height: number
  /** The data of the row to be written; undefined when the store already had the files. */
  stored?: { sizes: StoredSize[]; jpegBytes: number }
}

/**
 * Writes the files of a picture, unless the store has them. The caller must write the row within a day, after which
 * files without a row are removed.
 * @param encoding the queue of the encoder
 * @throws UnusablePicture
 */
export async function storePictureFiles(
  { db, media }: { db: Database; media: MediaStore },
  bytes: Buffer,
  encoding: ConcurrencyLimit,
): Promise<PictureFiles> {
  const id = mediaIdOf(bytes)
  const [known] = await findMedia(db, [id])
  const largest = known?.sizes.at(-1)
  if (known && largest && (await isComplete(media, id, pathsOf(known)))) {
    return { id, width: largest.width, height: largest.height }
  }
  const picture = await encoding(() => encodePicture(bytes))
  await putFiles(media, id, picture)
  const sizes = picture.sizes.map(({ width, height, content }) => ({ width, height, bytes: content.length }))
  const { width = 0, height = 0 } = sizes.at(-1) ?? {}
  return { id, width, height, stored: { sizes, jpegBytes: picture.jpeg.length } }
}

/**
 * The result of storePictureFiles for a picture, without writing anything.
 * @param encoding the queue of the encoder
 * @throws UnusablePicture
 */
export async function inspectPicture(bytes: Buffer, encoding: ConcurrencyLimit): Promise<Omit<PictureFiles, 'stored'>> {
  return { id: mediaIdOf(bytes), ...(await encoding(() => measurePicture(bytes))) }
}
