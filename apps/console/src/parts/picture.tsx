import { useSyncExternalStore, type ReactNode } from 'react'
import { BASE_PATH } from '../page-settings.ts'
import { mediaIdIn } from './media-id.ts'

const FOLDER = `${BASE_PATH}/media/`

/** @param url of a picture, absolute or a path on this server */
export function pictureAddress(url: string): string {
  return url.startsWith('/') ? `${BASE_PATH}${url}` : url
}

/** Versions of thumbnails that have been cropped again since the page was loaded. */
const recropped = new Map<string, number>()
const subscribers = new Set<() => void>()

/** Browsers keep a thumbnail for a minute: after a new focal point it needs another address. */
export function showNewCrop(mediaId: string): void {
  recropped.set(mediaId, (recropped.get(mediaId) ?? Date.now()) + 1)
  for (const onChange of subscribers) onChange()
}

/**
 * The address of the small JPEG that the shop makes of its own pictures; other pictures keep their address.
 * @param url of a picture, absolute or a path on this server
 */
export function thumbnailOf(url: string): string {
  const address = URL.parse(pictureAddress(url), location.origin)
  if (address?.origin !== location.origin || !address.pathname.startsWith(FOLDER)) return url
  const version = recropped.get(mediaIdIn(address.pathname) ?? '')
  return `${FOLDER}thumbnails/${address.pathname.slice(FOLDER.length)}.jpg${version === undefined ? '' : `?v=${version}`}`
}

function subscribe(onChange: () => void): () => void {
  subscribers.add(onChange)
  return () => subscribers.delete(onChange)
}

/** The same as `thumbnailOf`, with a new address as soon as the picture is cropped again. */
export function useThumbnail(url: string): string {
  return useSyncExternalStore(subscribe, () => thumbnailOf(url))
}

/** A small picture beside the name of what it shows, which is why it has no text of its own. */
export function Thumbnail({ url }: { url: string | undefined }): ReactNode {
  if (url === undefined || url === '') return <span className="thumbnail" />
  return <img className="thumbnail" src={thumbnailOf(url)} alt="" width={36} height={45} loading="lazy" />
}
