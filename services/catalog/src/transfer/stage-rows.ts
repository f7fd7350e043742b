import type { Clock } from '@storefront/chassis'
import type { ImportMode, ImportRowType } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { importCancelled } from '../errors.ts'
import type { ImportRow, Reading } from './import-rows.ts'
import { addIssues, noIssues, type IssueList } from './issue-list.ts'
import { saveProgress } from './jobs.queries.ts'
import { insertRows } from './staging.queries.ts'

/** What waits to be staged is bounded by both: a row may have eight megabytes, or eighty bytes. */
const BATCH_ROWS = 500
const BATCH_CHARACTERS = 2 * 1024 * 1024

export interface Staged {
  mode: ImportMode | undefined
  types: Set<ImportRowType>
  /** Whether discounts are in it, be it none. */
  saysDiscounts: boolean
  /** Whether the file said itself how many rows it has. */
  isCounted: boolean
  rows: number
  products: number
  issues: IssueList
  /** Whether every row says what it is. Otherwise nobody can tell whether what others refer to is there. */
  isWhole: boolean
}

/** Reads an import to its end into the table of rows, those with faults too: others may refer to them. */
export async function stageRows(
  { db, clock }: { db: Database; clock: Clock },
  jobId: string,
  readings: AsyncIterable<Reading>,
): Promise<Staged> {
  const staged: Staged = {
    mode: undefined,
    types: new Set(),
    saysDiscounts: false,
    isCounted: false,
    rows: 0,
    products: 0,
    issues: noIssues(),
    isWhole: true,
  }
  let batch: (ImportRow & { place: number })[] = []
  let characters = 0
  let end: number | undefined
  const flush = async () => {
    await insertRows(db, jobId, batch)
    batch = []
    characters = 0
    const { rows: rowsRead, products } = staged
    if (!(await saveProgress(db, jobId, { rowsRead, products }, clock.now()))) throw importCancelled()
  }
  for await (const reading of readings) {
    if ('issue' in reading) {
      addIssues(staged.issues, [reading.issue])
      staged.isWhole = false
    } else if ('issues' in reading) {
      addIssues(staged.issues, reading.issues)
      if (reading.named) batch.push({ ...reading.named, place: staged.rows++ })
    } else if ('mode' in reading) staged.mode = reading.mode
    else if ('saysDiscounts' in reading) staged.saysDiscounts = true
    else if ('end' in reading) end = reading.end.rows
    else {
      const { row, characters: given = sizeOf(row) } = reading
      batch.push({ ...row, place: staged.rows++ })
      staged.types.add(row.type)
      if (row.type === 'product') staged.products++
      characters += given
    }
    if (batch.length >= BATCH_ROWS || characters >= BATCH_CHARACTERS) await flush()
  }
  staged.saysDiscounts ||= staged.types.has('discount')
  staged.isCounted = end !== undefined
  if (end !== undefined && end !== staged.rows && staged.issues.total === 0) {
    addIssues(staged.issues, [
      { path: 'end', message: `the file says that it has ${end} rows, but ${staged.rows} arrived` },
    ])
  }
  await flush()
  return staged
}

/** Roughly, for what does not know it: what is long in a row is its variants, its words and the slugs it names. */
function sizeOf({ skus = [], refs = [] }: ImportRow): number {
  return 4000 + skus.length * 300 + refs.length * 50
}
