import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildApp } from '@storefront/tools/build-app'
import { launch, type RunningShop } from '@storefront/tools/launch'
import { packageCache } from '@storefront/tools/testing'
import { TestClient } from '../support/test-client.ts'
import { createProduct } from './ours/create-product.ts'
import { fixImport } from './ours/fix-import.ts'
import { putOnSale } from './ours/put-on-sale.ts'
import { refundLine } from './ours/refund-line.ts'
import type { Dashboard } from './task.ts'

/** Starts a demo shop of its own, as `npm start` does. */
export async function openOurs(print: (line: string) => void): Promise<{
  dashboard: Dashboard
  close: () => Promise<void>
}> {
  await buildApp('console', { print })
  const dataDir = await mkdtemp(join(tmpdir(), 'storefront-merchant-tasks-'))
  const shop = await launch({
    env: environment(),
    dataDir,
    cacheDir: packageCache(),
    seed: true,
    print: () => {},
  })
  return {
    dashboard: await dashboardOf(shop),
    async close() {
      await shop.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Without limits, because the script signs in and looks for effects far more often than a person. */
function environment(): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env
  const limits = { RATE_LIMIT_GENERAL: '0', RATE_LIMIT_AUTH: '0', RATE_LIMIT_CHECKOUT: '0' }
  return { PATH, HOME, PORT: '0', LOG_LEVEL: 'warn', ...limits }
}

async function dashboardOf(shop: RunningShop): Promise<Dashboard> {
  const admin = new TestClient(shop.url)
  await admin.signInAsAdmin(shop.adminEmail, shop.adminPassword)
  return {
    name: 'Storefront',
    url: `${shop.url}/console`,
    tasks: {
      'Create a product with 12 variants and 4 pictures': (round) => createProduct({ shop, admin }, round),
      'Find an order by part of a name and refund one line': (round) => refundLine({ shop, admin }, round),
      'Put 50 products on sale': (round) => putOnSale({ shop, admin }, round),
      'Fix an import with three faults': (round) => fixImport({ shop, admin }, round),
    },
  }
}
