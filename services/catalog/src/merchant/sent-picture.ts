import type { Picture } from '@storefront/contracts'
import { PLACEHOLDER_PATH } from '../media/placeholder.ts'
import { absoluteUrl, storedUrl } from '../products/product-response.ts'

/**
 * The stored form of a picture that a client may have read and sends back: pictures on this server are paths, and the
 * placeholder stands for none.
 * @param sent undefined keeps the stored one, null removes it
 */
export function storedPicture(
  sent: Picture | null | undefined,
  { before, publicUrl }: { before: Picture | null | undefined; publicUrl: string },
): Picture | null {
  if (sent === undefined || sent?.url === absoluteUrl(PLACEHOLDER_PATH, publicUrl)) return before ?? null
  return sent && { ...sent, url: storedUrl(sent.url, publicUrl) }
}
