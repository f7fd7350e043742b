import type {
  CategoryInput,
  ImportCounts,
  ImportResult,
  ImportRowType,
  ProductInput,
  SizeChart,
} from '@storefront/contracts'
import type { Issue } from '../errors.ts'
import type { WithdrawnVariant } from '../price-projection/price-projection.ts'
import type { FormerSlug } from '../products/bulk-events.ts'
import type { DroppedVariant } from '../products/dropped-variants.ts'
import type { ProductToRemove } from '../products/remove-products.ts'
import type { Settings } from '../settings/settings.queries.ts'
import type { KnownDiscounts } from './request-discounts.ts'
import type { CountedJob } from './jobs.queries.ts'
import type { StagedRow } from './staging.queries.ts'

export interface SettingsAfter {
  settings: Settings
  settingsChanged: boolean
  /** Paths in the settings of the import that the configuration does not declare. */
  unknownSettings: string[]
  /** Prices in the settings that are not in the currency of the shop. */
  foreignPrices: Issue[]
}

/** The part of a category that is compared. */
export type ComparedCategory = Omit<CategoryInput, 'image'> & { image?: unknown }

/** The categories and size charts of an import and those of the shop, by their names. */
export interface Taxonomy {
  categories: {
    rows: readonly StagedRow<CategoryInput>[]
    given: ReadonlyMap<string, ComparedCategory>
    stored: ReadonlyMap<string, ComparedCategory>
  }
  sizeCharts: {
    given: ReadonlyMap<string, SizeChart>
    stored: ReadonlyMap<string, SizeChart>
  }
}

/** The result of checking an import. */
export interface Checked extends SettingsAfter {
  taxonomy: Taxonomy
  /** The rows of its products; none if they are too many to stay in memory. */
  productRows: readonly StagedRow<ProductInput>[]
  /** Whether any product of the shop gets another slug. */
  renamesProducts: boolean
  /** How many products a replacing import deletes. Its lock of the settings keeps others from being added. */
  otherProducts: number
}

/** The context in which the rows of each kind are applied, and the effects of all kinds. */
export interface Applying extends Checked {
  job: CountedJob
  now: Date
  /** Reviews that the shop had before an import that replaces them. */
  storedReviews: number
  /** The discounts in cart, if the import contains discounts. */
  discounts: KnownDiscounts | undefined
  effects: ImportEffects
  applied: (rows: number) => Promise<void>
}

/** Whether a merging import has no rows of these types, so that the shop's records do not change. */
export function leavesAlone({ job }: Pick<Applying, 'job'>, ...given: ImportRowType[]): boolean {
  return job.mode === 'merge' && !given.some((type) => job.types.has(type))
}

export function noCounts(): ImportCounts {
  return { created: 0, updated: 0, deleted: 0, unchanged: 0 }
}

/** The results of an import, and everything that is out of date or to be published because of it. */
export class ImportEffects {
  readonly counts: ImportResult['counts'] = {
    products: noCounts(),
    categories: noCounts(),
    collections: noCounts(),
    sizeCharts: noCounts(),
    reviews: noCounts(),
    library: noCounts(),
    discounts: noCounts(),
  }
  /** For a dry run: the first products that would change. */
  readonly changes: { slug: string; fields: string[] }[] = []
  /** Surrogate keys of what is out of date. */
  readonly keys = new Set<string>()
  /** Slugs of all categories of the import, in its order. */
  readonly categories: string[] = []
  /** Categories and collections that were saved or deleted, for events. */
  readonly announced = new Set<string>()
  /** Products whose stored responses depend on records that changed. */
  readonly staleIds: string[] = []
  /** Products whose position in the tree of categories changed, and with it their entry in the price projection. */
  movedIds: readonly string[] = []
  /** Products that were saved, and are locked. */
  readonly savedIds: string[] = []
  /** Those of them that changed in more than quantities. */
  readonly changedIds: string[] = []
  /** Products whose visible reviews changed. */
  reviewedIds: readonly string[] = []
  /** Quantities to set at the end, by variant. */
  readonly quantities = new Map<string, number>()
  /** Variants that were left out, and must have neither stock nor reservations at the end. */
  readonly dropped: DroppedVariant[] = []
  readonly formerSlugs: FormerSlug[] = []
  /** The first deleted products, because above the limit there are no single events. */
  readonly deleted: ProductToRemove[] = []
  readonly removedVariants: WithdrawnVariant[] = []
  /** The number under which discounts were published to cart, if they were. */
  discountsNumber: number | undefined
}

/** Appends any number of values, unlike `push`, whose arguments are limited. */
export function append<Value>(values: Value[], more: Iterable<Value>): void {
  for (const each of more) values.push(each)
}

export function addToSet<Value>(values: Set<Value>, more: Iterable<Value>): void {
  for (const each of more) values.add(each)
}

/** How many records were created, updated or deleted. */
export function changesIn({ created, updated, deleted }: ImportCounts): number {
  return created + updated + deleted
}
