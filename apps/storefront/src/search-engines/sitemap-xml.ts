/** A page, with the pictures on it. */
interface SitemapEntry {
  /** A full address. */
  address: string
  pictures?: readonly string[]
}

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9'
const IMAGES = 'http://www.google.com/schemas/sitemap-image/1.1'

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '')

export const SITEMAP_START = `${HEAD}<urlset xmlns="${NAMESPACE}" xmlns:image="${IMAGES}">\n`
export const SITEMAP_END = '</urlset>\n'

export function sitemapEntry({ address, pictures = [] }: SitemapEntry): string {
  const images = pictures.map((picture) => `<image:image><image:loc>${escaped(picture)}</image:loc></image:image>`)
  return `<url><loc>${escaped(address)}</loc>${images.join('')}</url>\n`
}

/** @param addresses of the parts */
export function sitemapIndex(addresses: readonly string[]): string {
  const parts = addresses.map((address) => `<sitemap><loc>${escaped(address)}</loc></sitemap>\n`)
  return `${HEAD}<sitemapindex xmlns="${NAMESPACE}">\n${parts.join('')}</sitemapindex>\n`
}
