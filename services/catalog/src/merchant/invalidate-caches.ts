import type { Actor } from '@storefront/contracts'
import { SURROGATE_PURGE } from '@storefront/http'
import { transaction } from '@storefront/postgres'
import { lockTaxonomy } from '../categories/categories.queries.ts'
import type { WithdrawnVariant } from '../price-projection/price-projection.ts'
import { projectProducts } from '../price-projection/project-products.ts'
import type { CatalogContext } from '../context.ts'
import type { Tx } from '../database.ts'
import { priceSettingsOf } from '../settings/settings-in-force.ts'
import { findSettings } from '../settings/settings.queries.ts'
import type { IfMatchHeaders } from './entity-tags.ts'

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

/** Its headers name what is out of date. */
export interface Reply {
  header: (name: string, value: string) => unknown
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
  reply: Reply | undefined,
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

/** Commits a merchant's write, and follows it up. */
export async function commitWrite<Written extends Invalidation>(
  context: InvalidationContext,
  reply: Reply,
  write: (tx: Tx) => Promise<Written>,
): Promise<Written> {
  const written = await transaction(context.db, write)
  await invalidateCaches(context, written, reply)
  return written
}

/** Who changes a category, a collection or a size chart, and the tag of the version that they have read. */
export interface TaxonomyWriter {
  actor: Actor
  ifMatch: string | undefined
  now: Date
}

/** The same for a category, a collection or a size chart, which are changed one at a time. */
export function commitTaxonomy<Written extends Invalidation>(
  context: CatalogContext,
  { actor, headers }: { actor: Actor; headers: IfMatchHeaders },
  reply: Reply,
  write: (tx: Tx, writer: TaxonomyWriter) => Promise<Written>,
): Promise<Written> {
  return commitWrite(context, reply, async (tx) => {
    await lockTaxonomy(tx)
    return write(tx, { actor, ifMatch: headers['if-match'], now: context.clock.now() })
  })
}

/** The space in a header is limited, so a large write purges everything. */
function boundedKeys(keys: readonly string[]): string[] {
  const distinct = [...new Set(keys)]
  const isTooMuch = distinct.length > MAX_PURGE_KEYS || distinct.join(' ').length > MAX_PURGE_LENGTH
  return isTooMuch ? ['*'] : distinct
}
