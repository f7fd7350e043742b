import { createServer } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { listen } from '@storefront/tools/listen'
import { readSitemap } from './read-sitemap.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** Serves a sitemap of two parts, of which the second has this status. */
async function openSitemap(status: number): Promise<string> {
  const locations = (...paths: string[]) => paths.map((path) => `<loc>http://shop.example${path}</loc>`).join('')
  const pages = new Map([
    ['/sitemap.xml', locations('/sitemap/1.xml', '/sitemap/2.xml')],
    ['/sitemap/1.xml', locations('/', '/shop')],
    ['/sitemap/2.xml', locations('/product/a')],
  ])
  const server = createServer(({ url = '' }, response) => {
    response.writeHead(url === '/sitemap/2.xml' ? status : 200).end(pages.get(url))
  })
  const { url, close } = await listen(server)
  closing.push(close)
  return url
}

test('a sitemap has the addresses of all its parts', async () => {
  expect(await readSitemap(await openSitemap(200))).toMatchObject({ addresses: 3 })
})

test('a part that is not there ends the measurement', async () => {
  await expect(readSitemap(await openSitemap(503))).rejects.toThrow('/sitemap/2.xml responded with 503')
})
