import { SHOWN_ISSUES, type Issue } from '../errors.ts'
import type { CountedJob } from './jobs.queries.ts'
import type { KnownDiscounts } from './request-discounts.ts'

/** Errors of an import: the first hundred, and the number of all. */
export interface IssueList {
  shown: Issue[]
  total: number
}

/** What the rows of each kind are checked with. */
export interface Checking {
  job: CountedJob
  /** Of the shop after the import. */
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

/** @param total the number of all, when `issues` are only the first of them */
export function addIssues(list: IssueList, issues: readonly Issue[], total: number = issues.length): void {
  list.shown.push(...issues.slice(0, roomIn(list)))
  list.total += total
}
