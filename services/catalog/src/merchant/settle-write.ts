import { SURROGATE_PURGE } from '@storefront/http'
import type { WithdrawnVariant } from '../price-projection/price-projection.ts'
import { projectProducts } from '../price-projection/project-products.ts'
import type { CatalogContext } from '../context.ts'
import { priceSettingsOf } from '../settings/settings-in-force.ts'
import { findSettings } from '../settings/settings.queries.ts'

/** The effects of a merchant's write that follow its commit. */
export interface FollowUp {
  /** Surrogate keys of every response that is out of date. */
  keys: readonly string[]
  /** Products whose entries in the price projection are out of date. */
  productIds?: readonly string[]
  /** Deleted variants. */
  removed?: readonly WithdrawnVariant[]
  settingsChanged?: boolean
}

export type SettleContext = Pick<CatalogContext, 'db' | 'projection' | 'publicUrl' | 'purge'>

const MAX_PURGE_KEYS = 100
/** The gateway takes 16 KiB of headers: it would answer a committed write with an error if its reply had more. */
const MAX_PURGE_LENGTH = 8000

/**
 * Follows up a committed write: updates the price projection, and purges every cached response that is out of date: the
 * signal reaches every gateway, the header the one that the request came through. If the process ends before that, the
 * sweep of the projection and the age of the cached responses repair it.
 * @param reply carries the keys to the gateway that the request came through, which purges them before it responds
 */
export async function settleWrite(
  context: SettleContext,
  { keys, productIds = [], removed = [], settingsChanged = false }: FollowUp,
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

/** A header has room for only so many keys: a large write purges everything instead. */
function boundedKeys(keys: readonly string[]): string[] {
  const distinct = [...new Set(keys)]
  const isTooMuch = distinct.length > MAX_PURGE_KEYS || distinct.join(' ').length > MAX_PURGE_LENGTH
  return isTooMuch ? ['*'] : distinct
}
