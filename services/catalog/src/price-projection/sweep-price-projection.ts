import { every, type Timer } from '@storefront/service'
import type { CatalogContext } from '../context.ts'
import { priceSettingsOf } from '../settings/settings-in-force.ts'
import { findSettings } from '../settings/settings.queries.ts'
import { findPriceEntries, findVersionsAfter, type VersionRow } from './price-projection.queries.ts'
import type { ProjectedVersions } from './price-projection.ts'

const PAGE = 500

/** Pages per turn: 5,000 variants. */
const PAGES_A_TURN = 10

const SWEEP_MS = 30_000
/** More than are being written at any moment: a machine was lost after a large change, and before its entries. */
const MANY_REPAIRED = 50
/**
 * Several times the duration of a run: a hurried sweep of 600,000 variants takes two minutes and a tenth of a core.
 */
const HURRIED_SWEEP_MS = 1000

/**
 * Repairs the price projection continuously: compares it with the database, writes entries that are missing or older,
 * withdraws those of deleted variants, and drops those with changes that the database has lost. The hurried sweep after
 * a start finds entries that a crash between commit and projection has left out of date. The slower ones after it cover
 * unforeseen causes, at a cost that does not depend on the size of the shop.
 */
export function sweepPriceProjection(context: CatalogContext): Timer {
  const { log, redis, lists } = context
  let after = ''
  /**
   * Whether the sweep hurries, as the first one does, and the one after Redis was unreachable or emptied, the database
   * has lost changes, or many entries were out of date.
   */
  let isHurried = true
  let rounds = 0

  const timer = every(SWEEP_MS, 'sweep the price projection', log, async () => {
    if (redis.status !== 'ready') return
    await sweepSettings(context)
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
    if (repaired > MANY_REPAIRED) isHurried = true
    if (repaired > 0) log.info({ repaired }, 'the price projection was out of date and was repaired')
    if (redis.status === 'ready' && isHurried) setTimeout(() => timer.wake(), HURRIED_SWEEP_MS).unref()
  })
  function beginHurriedSweep(): void {
    isHurried = true
    after = ''
    rounds++
    timer.wake()
  }
  redis.on('ready', beginHurriedSweep)
  lists.onLostChanges(beginHurriedSweep)
  return timer
}

/** Settings with a version that the database does not have were lost with a former primary, as entries can be. */
async function sweepSettings({ db, projection }: CatalogContext): Promise<void> {
  const projected = await projection.readSettingsVersion()
  const settings = priceSettingsOf(await findSettings(db))
  if (projected > settings.version) await projection.dropSettings()
  else await projection.writeSettings(settings)
}

interface ComparedVersions extends VersionRow {
  /** Undefined where the price projection has no entry. */
  projected: ProjectedVersions | undefined
}

/** @returns the last variant of the page; undefined when it was the last page */
async function sweepPage(
  context: CatalogContext,
  after: string,
): Promise<{ repaired: number; last: string | undefined }> {
  const page = await findVersionsAfter(context.db, after, PAGE)
  const versions = await context.projection.readVersions(page.map((row) => row.variantId))
  const rows = page.map((row, index) => ({ ...row, projected: versions[index] }))
  const repaired = (await writeStale(context, rows)) + (await dropLost(context, rows))
  return { repaired, last: page.length < PAGE ? undefined : page.at(-1)?.variantId }
}

/** Writes entries that are missing or older, and withdraws those of deleted variants. @returns how many */
async function writeStale(
  { db, projection, publicUrl }: CatalogContext,
  rows: readonly ComparedVersions[],
): Promise<number> {
  const stale = rows.filter(({ facts, stock, projected }) =>
    facts === null ? projected !== undefined : !projected || projected.facts < facts || projected.stock < stock,
  )
  if (stale.length === 0) return 0
  const ids = stale.map((row) => row.variantId)
  const entries = await findPriceEntries(db, ids, publicUrl)
  const existing = new Set(entries.map((entry) => entry.variantId))
  // If the variant exists again, it has a higher version than this one, which was read before it was found missing.
  const withdrawn = await projection.withdraw(
    stale.flatMap(({ variantId, projected }) =>
      projected && !existing.has(variantId) ? [{ variantId, factsVersion: projected.facts + 1 }] : [],
    ),
  )
  return withdrawn + (await projection.writeEntries(entries))
}

/**
 * Drops entries that are newer than the database: a standby was promoted without their changes, and its next changes
 * have the same versions. They are not replaced, because a former primary that still replies lacks changes, too: carts
 * request what is missing from catalog, and the next sweep writes it.
 * @returns how many
 */
async function dropLost(
  { db, projection, publicUrl }: CatalogContext,
  rows: readonly ComparedVersions[],
): Promise<number> {
  const newer = rows.flatMap(({ variantId, facts, stock, projected }) =>
    facts !== null && projected && (projected.facts > facts || projected.stock > stock)
      ? [{ variantId, projected }]
      : [],
  )
  if (newer.length === 0) return 0
  const ids = newer.map((row) => row.variantId)
  // Most are sold while the page is compared. This read, which follows that of the projection, has those sales.
  const entries = new Map((await findPriceEntries(db, ids, publicUrl)).map((entry) => [entry.variantId, entry]))
  const lost = newer.filter(({ variantId, projected }) => {
    const entry = entries.get(variantId)
    return entry !== undefined && (projected.facts > entry.factsVersion || projected.stock > entry.stockVersion)
  })
  await projection.dropEntries(lost.map((row) => row.variantId))
  return lost.length
}
