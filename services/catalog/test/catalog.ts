import type { App } from '@storefront/http'
import { type Clock, readConfig } from '@storefront/service'
import type { Suite } from '@storefront/tools/testing'
import { CatalogConfig } from '../src/config.ts'
import { startCatalog, type RunningCatalog } from '../src/start.ts'

export const PUBLIC_URL = 'http://shop.test'

/** Starts the service as it runs, on a free port, in the suite's namespace. */
export function startTestCatalog(
  suite: Suite,
  env: Record<string, string> = {},
  clock?: Clock,
): Promise<RunningCatalog> {
  const config = readConfig(CatalogConfig, { ...suite.env('catalog'), PUBLIC_URL, PORT: '0', ...env })
  return startCatalog(config, suite.log, clock)
}

export const usd = (amount: number) => ({ amount, currency: 'USD' })

/** A product with one variant per size, ten of each by default. */
export function shirt(slug: string, options: { sizes?: string[]; inventory?: number; [key: string]: unknown } = {}) {
  const { sizes = ['S', 'M'], inventory = 10, ...rest } = options
  return {
    slug,
    title: `Shirt ${slug}`,
    price: usd(4000),
    options: [{ name: 'Size', values: sizes }],
    variants: sizes.map((size) => ({ sku: `${slug}-${size}`.toUpperCase(), options: { Size: size }, inventory })),
    ...rest,
  }
}

/** Imports as a merchant would. */
export async function importCatalogue(app: App, suite: Suite, body: Record<string, unknown>) {
  return app.inject({
    method: 'POST',
    url: '/admin/import',
    headers: suite.headers.admin(),
    payload: { mode: 'merge', ...body },
  })
}
