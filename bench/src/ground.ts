import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { demoShop } from '@storefront/demo'
import { launch, type RunningShop } from '@storefront/tools/launch'
import type { Ground } from './scenarios.ts'

const Token = z.object({ token: z.string() })
const Items = z.object({
  items: z.array(z.object({ slug: z.string(), variants: z.array(z.object({ id: z.string() })) })),
})
const PLENTY = 5_000_000

/** A shop of its own in a temporary folder, with the demo catalogue and more stock than can be sold in the time. */
export async function openGround(options: { edgeCache: boolean; say: (line: string) => void }) {
  const dataDir = await mkdtemp(join(tmpdir(), 'storefront-bench-'))
  const storefront = await openStorefront()
  const shop = await launch({
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      PORT: '0',
      STOREFRONT_URL: storefront.url,
      RATE_LIMIT_GENERAL: '0',
      RATE_LIMIT_AUTH: '0',
    },
    dataDir,
    cacheDir: join(tmpdir(), 'storefront-packages'),
    seed: false,
    quiet: true,
    say: options.say,
    serviceEnvironment: { gateway: { EDGE_CACHE: options.edgeCache ? 'on' : 'off' } },
  })
  return {
    ground: await stockShop(shop),
    async close() {
      await shop.stop()
      storefront.server.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** The storefront's end of the webhooks: it takes every one, as a healthy storefront does. */
async function openStorefront(): Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-length': 0 }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return { url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`, server }
}

async function stockShop(shop: RunningShop): Promise<Ground> {
  const { token } = Token.parse(
    await post(`${shop.url}/admin/auth/login`, { email: shop.adminEmail, password: shop.adminPassword }),
  )
  const { discounts: _discounts, library: _library, ...catalogue } = demoShop({ now: new Date() })
  const products = catalogue.products.map((product) => ({
    ...product,
    variants: product.variants.map((variant) => ({ ...variant, inventory: PLENTY })),
  }))
  await post(`${shop.url}/admin/import`, { mode: 'replace', ...catalogue, products }, token)
  const response = await fetch(`${shop.url}/products?per_page=48`)
  const { items } = Items.parse(await response.json())
  const variantIds = items.flatMap((item) => item.variants.map((variant) => variant.id))
  return { shop, slugs: items.map((item) => item.slug), variantIds, hotVariantId: variantIds[0] ?? '' }
}

async function post(url: string, body: unknown, token?: string): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`)
  return JSON.parse(text)
}
