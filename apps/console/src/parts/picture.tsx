import type { ReactNode } from 'react'
import { BASE_PATH } from '../page-settings.ts'

const FOLDER = `${BASE_PATH}/media/`

/**
 * The small JPEG that the shop makes of its own pictures; pictures elsewhere have none.
 * @param url of a picture, absolute or a path on this server
 */
export function thumbnailOf(url: string): string {
  const address = URL.parse(url.startsWith('/') ? `${BASE_PATH}${url}` : url, location.origin)
  if (address?.origin !== location.origin || !address.pathname.startsWith(FOLDER)) return url
  return `${FOLDER}thumbnails/${address.pathname.slice(FOLDER.length)}.jpg`
}

/** A small picture beside the name of what it shows, which is why it has no text of its own. */
export function Thumbnail({ url }: { url: string | undefined }): ReactNode {
  if (url === undefined || url === '') return <span className="thumbnail" />
  return <img className="thumbnail" src={thumbnailOf(url)} alt="" width={36} height={45} loading="lazy" />
}
