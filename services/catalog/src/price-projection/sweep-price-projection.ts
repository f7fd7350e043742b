import { every, type Timer } from '@storefront/service'
import type { CatalogContext } from '../context.ts'
import { priceSettingsOf } from '../settings/settings-in-force.ts'
import { findSettings } from '../settings/settings.queries.ts'
import { findPriceEntries, findVersionsAfter } from './price-projection.queries.ts'

const PAGE = 500

/** Pages per turn: 5,000 variants. */
const PAGES_A_TURN = 10

const SWEEP_MS = 30_000
/**
 * Several times the duration of a run: a hurried sweep of 600,000 variants takes two minutes and a tenth of a core.
 */
const HURRIED_SWEEP_MS = 1000

/**
 * Repairs the price projection continuously: compares it with the database, writes entries that are missing or older,
 * and withdraws those of deleted variants. The hurried sweep after a start finds entries that a crash between commit
 * and projection has left out of date. The slower ones after it cover unforeseen causes, at a cost that does not depend
 * on the size of the shop.
 */
export function sweepPriceProjection(context: CatalogContext): Timer {
  const { db, log, redis, projection } = context
  let after = ''
  /** Whether the sweep hurries, as the first one does, and the one after Redis was unreachable or emptied. */
  let isHurried = true
  let rounds = 0

  const timer = every(SWEEP_MS, 'sweep the price projection', log, async () => {
    if (redis.status !== 'ready') return
    await projection.writeSettings(priceSettingsOf(await findSettings(db)))
    let repaired = 0
    for (let page = 0; page < PAGES_A_TURN; page++) {
      const round = rounds
      const swept = await sweepPage(context, after)
      repaired += swept.repaired
      // A new sweep may have begun meanwhile, and then the position of this page is not valid.
      if (rounds !== round) continue
      after = swept.last ?? ''
      if (swept.last !== undefined) continue
      isHurried = false
      break
    }
    if (repaired > 0) log.info({ repaired }, 'the price projection was out of date and was repaired')
    if (redis.status === 'ready' && isHurried) setTimeout(() => timer.wake(), HURRIED_SWEEP_MS).unref()
  })
  redis.on('ready', () => {
    isHurried = true
    after = ''
    rounds++
    timer.wake()
  })
  return timer
}

/** @returns the last variant of the page; undefined when it was the last page */
async function sweepPage(
  { db, projection, publicUrl }: CatalogContext,
  after: string,
): Promise<{ repaired: number; last: string | undefined }> {
  const page = await findVersionsAfter(db, after, PAGE)
  const inProjection = await projection.readVersions(page.map((row) => row.variantId))
  const stale = page.flatMap(({ variantId, facts, stock }, index) => {
    const known = inProjection[index]
    const isStale = facts === null ? known !== undefined : !known || known.facts < facts || known.stock < stock
    return isStale ? [{ variantId, known }] : []
  })
  if (stale.length > 0) {
    const ids = stale.map((row) => row.variantId)
    const entries = await findPriceEntries(db, ids, publicUrl)
    const existing = new Set(entries.map((entry) => entry.variantId))
    // If the variant exists again, it has a higher version than this one, which was read before it was found missing.
    await projection.withdraw(
      stale.flatMap(({ variantId, known }) =>
        known && !existing.has(variantId) ? [{ variantId, factsVersion: known.facts + 1 }] : [],
      ),
    )
    await projection.writeEntries(entries)
  }
  return { repaired: stale.length, last: page.length < PAGE ? undefined : page.at(-1)?.variantId }
}
