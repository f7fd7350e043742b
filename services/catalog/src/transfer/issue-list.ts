import type { ProductInput } from '@storefront/contracts'
import { SHOWN_ISSUES, type Issue } from '../errors.ts'
import type { Taxonomy } from './import-effects.ts'
import type { CountedJob } from './jobs.queries.ts'
import type { KnownDiscounts } from './request-discounts.ts'
import type { StagedRow } from './staging.queries.ts'

/** Errors of an import: the first hundred, and the total number. */
export interface IssueList {
  shown: Issue[]
  total: number
}

/** The context in which the rows of each kind are checked. */
export interface Checking {
  job: CountedJob
  taxonomy: Taxonomy
  /** Filled by the check of products, if they are few enough to stay in memory until they are applied. */
  productRows: StagedRow<ProductInput>[]
  /** The currency of the shop after the import. */
  currency: string
  /** The discounts in cart, if they were read. */
  discounts?: KnownDiscounts | undefined
  issues: IssueList
  checked: (rows: number) => Promise<void>
}

export function noIssues(): IssueList {
  return { shown: [], total: 0 }
}

/** How many more errors are shown. */
export function roomIn({ shown }: IssueList): number {
  return SHOWN_ISSUES - shown.length
}

/** @param total the number of all errors, if `issues` has only the first */
export function addIssues(list: IssueList, issues: readonly Issue[], total: number = issues.length): void {
  list.shown.push(...issues.slice(0, roomIn(list)))
  list.total += total
}
