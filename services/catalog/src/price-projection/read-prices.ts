import { replyTo } from '@storefront/messaging'
import { ReadPrices } from '@storefront/contracts'
import type { CatalogContext } from '../context.ts'
import { priceSettingsOf } from '../settings/settings-in-force.ts'
import { findSettings } from '../settings/settings.queries.ts'
import { findPriceEntries } from './price-projection.queries.ts'

/** Replies to cart with prices that it could not read in Redis, and writes the entries that were missing there. */
export function replyToReadPrices(context: CatalogContext): void {
  const { db, projection, publicUrl } = context
  replyTo(context, ReadPrices, async ({ variantIds }) => {
    const entries = await findPriceEntries(db, variantIds, publicUrl)
    const settings = priceSettingsOf(await findSettings(db))
    void projection.writeEntries(entries).then(() => projection.writeSettings(settings))
    return { entries, settings }
  })
}
