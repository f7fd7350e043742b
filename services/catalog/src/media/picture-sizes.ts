import type { CatalogContext } from '../context.ts'
import type { Database } from '../database.ts'
import { readPictureSize } from './encode-picture.ts'
import { openFolderStore } from './folder-store.ts'
import { findMedia } from './media.queries.ts'
import { isSafePath, uploadAt, UPLOADS, type StoredSize } from './media.ts'

type PictureSize = Pick<StoredSize, 'width' | 'height'>

const MEDIA = '/media/'
/** Other files, such as drawings, are not read. */
const RASTER = /\.(?:png|jpe?g|webp)$/i

/**
 * Sizes in pixels of pictures that are stored here: of uploads from their rows, of others in the media folder from
 * their files. Nothing is fetched from elsewhere.
 * @param urls paths on this server, such as `/media/uploads/med_…/640.webp`; others are not known
 * @returns by path; unknown ones are missing
 */
export async function sizesOfPictures(
  { db, mediaDir }: Pick<CatalogContext, 'db' | 'mediaDir'>,
  urls: readonly string[],
): Promise<Map<string, PictureSize>> {
  const paths = [...new Set(urls.filter((url) => url.startsWith(MEDIA)))].map((url) => url.slice(MEDIA.length))
  const uploads = await sizesOfUploads(db, paths)
  const folder = openFolderStore(mediaDir)
  const sizes = new Map<string, PictureSize>()
  for (const path of paths) {
    const isFile = !path.startsWith(UPLOADS) && isSafePath(path) && RASTER.test(path)
    const bytes = isFile ? await folder.read(path) : undefined
    const size = uploads.get(path) ?? (bytes && (await readPictureSize(bytes)))
    if (size) sizes.set(`${MEDIA}${path}`, { width: size.width, height: size.height })
  }
  return sizes
}

async function sizesOfUploads(db: Database, paths: readonly string[]): Promise<Map<string, PictureSize>> {
  const uploads = paths.flatMap((path) => {
    const upload = uploadAt(path)
    return upload ? [{ path, ...upload }] : []
  })
  if (uploads.length === 0) return new Map()
  const stored = await findMedia(db, [...new Set(uploads.map(({ id }) => id))])
  const sizesById = new Map(stored.map(({ id, sizes }) => [id, sizes]))
  return new Map(
    uploads.flatMap(({ path, id, width }) => {
      const size = sizesById.get(id)?.find((each) => each.width === width)
      return size ? [[path, size]] : []
    }),
  )
}
