import type { HistoryCounts } from './check-history.ts'
import type { ExperimentResult, Window } from './experiment.ts'
import { errorsSeen, longestGap } from './figures.ts'
import { VIOLATIONS, type ViolationKind } from './violation.ts'

/** What the violations of each kind are counted among. */
const AMONG: Record<ViolationKind, keyof HistoryCounts> = {
  'cart lost': 'buyers',
  'order lost': 'orders',
  'order changed': 'orders',
  'order duplicated': 'buyers',
  'order from nowhere': 'orders',
  'order disappeared': 'orders',
  'order went back': 'orders',
  'rejected for no reason': 'operations',
  'units oversold': 'unitsSold',
  'units lost': 'unitsSold',
  'mail missing': 'mails',
  'mail twice': 'mails',
  'event lost': 'eventsPublished',
  'event changed': 'eventsReceived',
  'event twice': 'eventsReceived',
  'payment without order or refund': 'payments',
  'payment with order and refund': 'payments',
  'write of a fenced primary lost': 'fencedWrites',
}

/** The result as Markdown: a table of the faults, and one of the violations with a row for each kind. */
export function faultTable(result: ExperimentResult): string {
  const head = ['Fault', 'Times', 'Seconds without a checkout', 'Target', 'Recovered after', 'What buyers saw']
  const byName = Map.groupBy(result.windows, ({ fault }) => fault.name)
  const rows = [...byName.values()].map((windows) => row(windows, result))
  const found = VIOLATIONS.map((kind) => {
    const among = AMONG[kind]
    return [kind, String(result.found[kind] ?? 0), `${result.counts[among]} ${inWords(among)}`]
  })
  const counts = Object.entries(result.counts).map(([what, count]) => `${inWords(what)} ${count}`)
  const tables = [markdown(head, rows), markdown(['Violation', 'Found', 'Among'], found)]
  const soldOut = `During ${result.windows.length} faults ${result.soldOut} variants were sold out.`
  return [...tables, `Compared: ${counts.join(', ')}. ${soldOut}`].join('\n\n')
}

function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** `unitsSold` as `units sold`. */
function inWords(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

/** @returns whether there were faults, all within their targets, nothing was found, and the load was as requested */
export function meetsTargets({ windows, operations, violations, unfinished, turnedAway }: ExperimentResult): boolean {
  const isWithin = (window: Window): boolean =>
    window.missing.length === 0 && secondsWithout(window, operations) < window.fault.targetSeconds
  const isExact = violations.length === 0 && unfinished.length === 0 && turnedAway === 0
  return isExact && windows.length > 0 && windows.every(isWithin)
}

function row(windows: readonly Window[], { operations }: ExperimentResult): string[] {
  const [first] = windows
  const missing = windows.flatMap((window) => window.missing)
  const errors: Record<string, number> = {}
  for (const { fromMs, toMs } of windows) {
    for (const [what, count] of Object.entries(errorsSeen(operations, fromMs, toMs))) {
      errors[what] = (errors[what] ?? 0) + count
    }
  }
  const recoveredAfter = windows.map(({ fromMs, toMs }) => (toMs - fromMs) / 1000)
  return [
    first?.fault.name ?? '',
    String(windows.length),
    rangeOf(windows.map((window) => secondsWithout(window, operations))),
    `under ${first?.fault.targetSeconds}`,
    missing.length > 0 ? `not: ${missing.join(', ')}` : `${rangeOf(recoveredAfter)} s`,
    Object.entries(errors)
      .map(([what, count]) => `${count} × ${what}`)
      .join('; ') || 'no error',
  ]
}

/** The least and the most, or the only one. */
function rangeOf(numbers: readonly number[]): string {
  const [least, most] = [Math.min(...numbers).toFixed(1), Math.max(...numbers).toFixed(1)]
  return least === most ? least : `${least} to ${most}`
}

function secondsWithout({ fromMs, toMs }: Window, operations: ExperimentResult['operations']): number {
  return longestGap(operations, fromMs, toMs).lengthMs / 1000
}
