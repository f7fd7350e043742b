import type { Issue } from '../errors.ts'

const SHOWN_ISSUES = 100

/** Faults of an import: the first hundred, and how many there are. */
export interface IssueList {
  shown: Issue[]
  total: number
}

export function noIssues(): IssueList {
  return { shown: [], total: 0 }
}

/** @param total how many more there are, when `issues` are only the first of them */
export function addIssues(list: IssueList, issues: readonly Issue[], total: number = issues.length): void {
  list.shown.push(...issues.slice(0, SHOWN_ISSUES - list.shown.length))
  list.total += total
}
