import { buildApp } from '@storefront/tools/build-app'
import { generateCatalog } from './generated-catalog.ts'
import { loadCatalog } from './load-catalog.ts'
import { describeMachine } from './machine.ts'
import { signInMerchant } from './merchant.ts'
import { peakMegabytes } from './memory.ts'
import { makeDataFolder, openShop } from './open-shop.ts'
import { readSitemap, type Sitemap } from './read-sitemap.ts'
import { markdownTable } from './table.ts'

const MIB = 1024 * 1024

/** Measures the sitemap of the reference storefront, as a crawler reads it, in a shop with this many products. */
export async function benchSitemap(products: number): Promise<void> {
  await buildApp('storefront', { print: (line) => console.error(line) })
  const folder = await makeDataFolder()
  const { shop, close } = await openShop({
    dataDir: folder.path,
    edgeCache: true,
    ownStorefront: true,
  })
  try {
    const catalog = generateCatalog({ seed: 'bench', count: products, now: new Date() })
    await loadCatalog(await signInMerchant(shop), catalog)
    const before = await peakMegabytes(shop.storefront?.pid())
    const first = await readSitemap(shop.storefrontUrl)
    const again = await readSitemap(shop.storefrontUrl)
    const after = await peakMegabytes(shop.storefront?.pid())
    console.log(describeMachine())
    console.log(
      markdownTable(
        ['sitemap', 'addresses', 'MB', 'first byte of a part ms', 'whole s', 'most memory of the storefront'],
        [
          ['made', ...rowOf(first), `${after} MB (${before} before)`],
          ['kept', ...rowOf(again), ''],
        ],
      ),
    )
  } finally {
    await close()
    await folder.remove()
  }
}

function rowOf({ addresses, bytes, firstByteMs, wholeMs }: Sitemap): string[] {
  return [
    addresses.toLocaleString('en-US'),
    (bytes / MIB).toFixed(1),
    firstByteMs.toFixed(0),
    (wholeMs / 1000).toFixed(1),
  ]
}
