import { thumbnailPath } from '@storefront/contracts'
import { oneLine, webAddress } from './words.ts'

/** Displayed size in pixels: a third of the thumbnail's. */
const SHOWN = { width: 64, height: 80 }
/** Alternative text is shown where the picture is not loaded, in letters that fit into its space. */
export const PICTURE_STYLE =
  'display:block;width:64px;height:80px;object-fit:cover;border-radius:4px;font-size:12px;line-height:1.25;overflow:hidden;'

/** As the media route accepts it: no segment begins with a dot. */
const LOCAL_PICTURE = /^\/media\/((?:[a-z0-9][\w.-]*\/)*[a-z0-9][\w.-]*)$/i

interface ShownPicture {
  url: string
  alt: string
  width: number
  height: number
}

/**
 * A picture as mail programs can load and show it: the thumbnail of a picture on this server, or the address of another
 * one.
 * @param publicUrl the shop's web address
 * @param title used when there is no description
 * @returns undefined for a picture that most mail programs would not show
 */
export function shownPicture(
  { url, alt }: { url: string; alt: string },
  publicUrl: string,
  title: string,
): ShownPicture | undefined {
  const shown = thumbnailOf(url, publicUrl) ?? foreignPicture(url, publicUrl)
  return shown === undefined ? undefined : { url: shown, alt: oneLine(alt) || title, ...SHOWN }
}

function thumbnailOf(url: string, publicUrl: string): string | undefined {
  const path = url.startsWith(`${publicUrl}/`) ? url.slice(publicUrl.length) : url
  const [, picture] = LOCAL_PICTURE.exec(path) ?? []
  return picture === undefined ? undefined : webAddress(`${publicUrl}/media/${thumbnailPath(picture)}`)
}

function foreignPicture(url: string, publicUrl: string): string | undefined {
  const address = webAddress(url.startsWith('/') && !url.startsWith('//') ? `${publicUrl}${url}` : url)
  return address !== undefined && /\.svgz?$/i.test(new URL(address).pathname) ? undefined : address
}
