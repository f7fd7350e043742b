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

/** How many more faults are shown. */
export function roomIn({ shown }: IssueList): number {
  return SHOWN_ISSUES - shown.length
}

/** @param total how many more there are, when `issues` are only the first of them */
export function addIssues(list: IssueList, issues: readonly Issue[], total: number = issues.length): void {
  list.shown.push(...issues.slice(0, roomIn(list)))
  list.total += total
}
