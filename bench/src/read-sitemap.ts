export interface Sitemap {
  addresses: number
  bytes: number
  firstByteMs: number
  wholeMs: number
}

/**
 * Reads the index and all of its parts, one after the other.
 * @throws Error when one of them is not there: the time of a page that says so is not that of a sitemap
 */
export async function readSitemap(storefrontUrl: string): Promise<Sitemap> {
  const beganMs = performance.now()
  const index = await (await fetchPart(`${storefrontUrl}/sitemap.xml`)).text()
  const sitemap: Sitemap = { addresses: 0, bytes: 0, firstByteMs: 0, wholeMs: 0 }
  for (const address of addressesOf(index)) {
    const requestedMs = performance.now()
    const response = await fetchPart(`${storefrontUrl}${new URL(address).pathname}`)
    sitemap.firstByteMs = Math.max(sitemap.firstByteMs, performance.now() - requestedMs)
    const text = await response.text()
    sitemap.addresses += addressesOf(text).length
    sitemap.bytes += text.length
  }
  return { ...sitemap, wholeMs: performance.now() - beganMs }
}

async function fetchPart(url: string): Promise<Response> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} responded with ${response.status}`)
  return response
}

function addressesOf(xml: string): string[] {
  return [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = '']) => address)
}
