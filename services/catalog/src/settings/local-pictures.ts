import { absoluteUrl } from '../products/product-response.ts'

const MEDIA = '/media/'

/** Absolute addresses for pictures on this server, as visitors get them. */
export function withAbsolutePictures(value: unknown, publicUrl: string): unknown {
  return mapTexts(value, (text) => (text.startsWith(MEDIA) ? absoluteUrl(text, publicUrl) : text))
}

/**
 * The inverse, for a document that was read and is sent back: pictures are stored as paths, because the address of the
 * shop may change.
 */
export function withLocalPictures(value: unknown, publicUrl: string): unknown {
  const ours = absoluteUrl(MEDIA, publicUrl)
  return mapTexts(value, (text) => (text.startsWith(ours) ? `${MEDIA}${text.slice(ours.length)}` : text))
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapTexts(each, change)]))
}
