import { SURROGATE_PURGE } from '@storefront/http'
import type { WithdrawnVariant } from '../price-projection/price-projection.ts'
import { projectProducts } from '../price-projection/project-products.ts'
import type { CatalogContext } from '../context.ts'
import { priceSettingsOf } from '../settings/settings-in-force.ts'
import { findSettings } from '../settings/settings.queries.ts'

/** What is out of date after the commit of a merchant's write. */
export interface Invalidation {
  /** Surrogate keys of every response that is out of date. */
  keys: readonly string[]
  /** Products whose entries in the price projection are out of date. */
  productIds?: readonly string[]
  /** Deleted variants. */
  removed?: readonly WithdrawnVariant[]
  settingsChanged?: boolean
}

export type InvalidationContext = Pick<CatalogContext, 'db' | 'projection' | 'publicUrl' | 'purge'>

const MAX_PURGE_KEYS = 100
/** The gateway accepts 16 KiB of headers: with more, the client would get an error for a committed write. */
const MAX_PURGE_LENGTH = 8000

/**
 * Follows up a committed write: updates the price projection, and purges every cached response that is out of date. A
 * signal reaches every gateway. If the process ends before that, the sweep repairs the projection, and the cached
 * responses expire.
 * @param reply its header carries the keys to the gateway of this request, which purges them before it responds
 */
export async function invalidateCaches(
  context: InvalidationContext,
  { keys, productIds = [], removed = [], settingsChanged = false }: Invalidation,
  reply: { header: (name: string, value: string) => unknown } | undefined,
): Promise<void> {
  const { db, projection, purge } = context
  if (settingsChanged) await projection.writeSettings(priceSettingsOf(await findSettings(db)))
  await projection.withdraw(removed)
  await projectProducts(context, productIds)
  const bounded = boundedKeys(keys)
  if (bounded.length === 0) return
  purge(bounded, { byMerchant: true })
  reply?.header(SURROGATE_PURGE, bounded.join(' '))
}

/** The space in a header is limited, so a large write purges everything. */
function boundedKeys(keys: readonly string[]): string[] {
  const distinct = [...new Set(keys)]
  const isTooMuch = distinct.length > MAX_PURGE_KEYS || distinct.join(' ').length > MAX_PURGE_LENGTH
  return isTooMuch ? ['*'] : distinct
}
