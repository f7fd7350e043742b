import type { ExperimentResult, Window } from './experiment.ts'
import { errorsSeen, longestGap } from './figures.ts'

/** The result as Markdown: a row for each fault, and what was found when everything was compared. */
export function faultTable(result: ExperimentResult): string {
  const head = ['Fault', 'Seconds without a checkout', 'Aim', 'Whole again after', 'What buyers saw']
  const rows = result.windows.map((window) => row(window, result))
  const table = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  const found = Object.entries(result.found).map(([kind, count]) => `| ${kind} | ${count} |`)
  const counts = Object.entries(result.counts).map(([what, count]) => `${what} ${count}`)
  return [...table, '', '| Found | Number |', '| --- | --- |', ...found, '', `Compared: ${counts.join(', ')}.`].join(
    '\n',
  )
}

/** @returns whether every fault stayed within its aim, and nothing was found */
export function isWithinAims({ windows, operations, violations }: ExperimentResult): boolean {
  const isWithin = (window: Window): boolean =>
    window.missing.length === 0 && secondsWithout(window, operations) < window.fault.aimSeconds
  return violations.length === 0 && windows.every(isWithin)
}

function row(window: Window, { operations }: ExperimentResult): string[] {
  const { fault, fromMs, toMs, missing } = window
  const errors = Object.entries(errorsSeen(operations, fromMs, toMs)).map(([what, count]) => `${count} × ${what}`)
  return [
    fault.name,
    secondsWithout(window, operations).toFixed(1),
    `under ${fault.aimSeconds}`,
    missing.length > 0 ? `not: ${missing.join(', ')}` : `${((toMs - fromMs) / 1000).toFixed(0)} s`,
    errors.join('; ') || 'no error',
  ]
}

function secondsWithout({ fromMs, toMs }: Window, operations: ExperimentResult['operations']): number {
  return longestGap(operations, fromMs, toMs).lengthMs / 1000
}
