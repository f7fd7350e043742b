import type { Effort } from './hand.ts'
import { TASKS, type Dashboard } from './task.ts'

/** The median of the rounds for each task, with the dashboards side by side. */
export function effortTable(dashboards: readonly Dashboard[], efforts: ReadonlyMap<string, readonly Effort[]>): string {
  const head = ['Task', ...dashboards.flatMap(({ name }) => [`${name}: clicks`, 'keys', 'texts', 'seconds'])]
  const rows = TASKS.map((task) => [
    task,
    ...dashboards.flatMap(({ name }) => cells(efforts.get(`${name}: ${task}`) ?? [])),
  ])
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

function cells(rounds: readonly Effort[]): string[] {
  if (rounds.length === 0) return ['–', '–', '–', '–']
  const median = (of: (effort: Effort) => number): number => middle(rounds.map(of))
  return [
    String(median(({ clicks }) => clicks)),
    String(median(({ keys }) => keys)),
    String(median(({ texts }) => texts)),
    median(({ seconds }) => seconds).toFixed(1),
  ]
}

function middle(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) / 2)] ?? 0
}
