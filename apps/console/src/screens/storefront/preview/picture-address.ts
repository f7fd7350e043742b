import { BASE_PATH } from '../../../page-settings.ts'

/** @param url of a picture, absolute or a path on this server */
export function pictureAddress(url: string): string {
  return url.startsWith('/') ? `${BASE_PATH}${url}` : url
}
