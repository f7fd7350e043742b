import type { ImportCounts, ImportResult } from '@storefront/contracts'
import type { WithdrawnVariant } from '../price-projection/price-projection.ts'
import type { FormerSlug } from '../products/bulk-events.ts'
import type { ProductToRemove } from '../products/remove-products.ts'
import type { Settings } from '../settings/settings.queries.ts'
import type { KnownDiscounts } from './request-discounts.ts'
import type { Job } from './jobs.queries.ts'

/** The settings after an import. */
export interface SettingsAfter {
  settings: Settings
  settingsChanged: boolean
}

/** What the rows of each kind are applied with, and the effects of all of them. A dry run only counts. */
export interface Applying extends SettingsAfter {
  job: Job
  now: Date
  /** Reviews that the shop had before the import. */
  storedReviews: number
  /** The discounts in cart, if the import contains discounts. */
  discounts: KnownDiscounts | undefined
  effects: ImportEffects
  /** Reports applied rows. */
  applied: (rows: number) => Promise<void>
}

/** The results of an import, and everything that is out of date or to be published because of it. */
export interface ImportEffects {
  counts: ImportResult['counts']
  /** For a dry run: the first products that would change. */
  changes: { slug: string; fields: string[] }[]
  /** Surrogate keys of what is out of date. */
  keys: Set<string>
  /** Categories and collections that were saved or deleted, for events. */
  announced: Set<string>
  /** Products whose stored responses depend on records that changed. */
  staleIds: Set<string>
  /** Products whose position in the tree of categories changed, and with it their entry in the price projection. */
  movedIds: readonly string[]
  /** Products that were saved, and are locked. */
  savedIds: string[]
  /** Those of them that changed in more than quantities. */
  changedIds: string[]
  /** Products whose visible reviews changed. */
  reviewedIds: Set<string>
  formerSlugs: FormerSlug[]
  /** The first deleted products: beyond the limit they get no single events. */
  deleted: ProductToRemove[]
  /** Deleted variants. */
  removed: WithdrawnVariant[]
  /** The number under which discounts were published to cart, if they were. */
  discountsNumber: number | undefined
}

export function noCounts(): ImportCounts {
  return { created: 0, updated: 0, deleted: 0, unchanged: 0 }
}

export function noEffects(): ImportEffects {
  return {
    counts: {
      products: noCounts(),
      categories: noCounts(),
      collections: noCounts(),
      sizeCharts: noCounts(),
      reviews: noCounts(),
      library: noCounts(),
      discounts: noCounts(),
    },
    changes: [],
    keys: new Set(),
    announced: new Set(),
    staleIds: new Set(),
    movedIds: [],
    savedIds: [],
    changedIds: [],
    reviewedIds: new Set(),
    formerSlugs: [],
    deleted: [],
    removed: [],
    discountsNumber: undefined,
  }
}

/** Any number of values: the arguments of a call are limited. */
export function addAll<Value>(values: Set<Value>, more: Iterable<Value>): void {
  for (const each of more) values.add(each)
}

/** How many records were created, updated or deleted. */
export function changesIn({ created, updated, deleted }: ImportCounts): number {
  return created + updated + deleted
}
