/** Pixels of a thumbnail. A mail shows it at a third of its size, so that it is sharp on every screen. */
export const THUMBNAIL = { width: 192, height: 240 } as const

const FOLDER = 'thumbnails/'

/**
 * The small JPEG that the shop makes of each of its pictures, for mail programs, which show neither SVG nor, some of
 * them, WebP.
 * @param picture path of a picture below `/media/`
 * @returns path of its thumbnail below `/media/`
 */
export function thumbnailPath(picture: string): string {
  return `${FOLDER}${picture}.jpg`
}

/**
 * The inverse.
 * @param path below `/media/`
 * @returns path of the picture that it is the thumbnail of; undefined when the path is not that of a thumbnail
 */
export function pictureOfThumbnail(path: string): string | undefined {
  return path.startsWith(FOLDER) && path.endsWith('.jpg') ? path.slice(FOLDER.length, -'.jpg'.length) : undefined
}
