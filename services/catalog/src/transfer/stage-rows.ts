import type { Clock } from '@storefront/service'
import type { ImportMode, ImportRowType } from '@storefront/contracts'
import type { Database } from '../database.ts'
import { importCancelled } from '../errors.ts'
import type { Reading } from './row-kind.ts'
import { addIssues, noIssues } from './issue-list.ts'
import { saveProgress } from './jobs.queries.ts'
import { insertPictures, type ImportPicture } from './pictures.queries.ts'
import { insertRows, type ImportRow } from './staging.queries.ts'

/** Both limit the buffer of rows to be staged: a row may have eight megabytes, or eighty bytes. */
const BATCH_ROWS = 500
const BATCH_CHARACTERS = 2 * 1024 * 1024
/** Encoding this many takes more than an hour on one core. */
const MAX_PICTURES = 5000
/** Far below the five minutes after which a job without progress counts as lost. */
const ARRIVAL_MS = 30_000

export class Staged {
  mode: ImportMode | undefined
  readonly types = new Set<ImportRowType>()
  /** Whether discounts are included, even if there are none. */
  hasDiscounts = false
  /** Whether the file requests a dry run. */
  dryRun = false
  /** Pictures on other servers that are to be copied to the shop's own store. */
  pictures = 0
  columnsNotTaken: string[] = []
  /** The number of rows, if the file contains it. */
  end: number | undefined
  rowsRead = 0
  products = 0
  readonly issues = noIssues()
  /**
   * Whether the identity of every row is known. Otherwise it is unknown whether the records that others refer to exist.
   */
  isWhole = true
}

/** Rows that were read and are not written yet. */
interface Batch {
  rows: (ImportRow & { place: number })[]
  pictures: (ImportPicture & { place: number })[]
  characters: number
}

/** Reads an import to its end into the table of rows, including invalid ones: others may refer to them. */
export async function stageRows(
  { db, clock }: { db: Database; clock: Clock },
  jobId: string,
  readings: AsyncIterable<Reading>,
): Promise<Staged> {
  const staged = new Staged()
  const urls = new Set<string>()
  let batch: Batch = { rows: [], pictures: [], characters: 0 }
  const flush = async () => {
    await insertRows(db, jobId, batch.rows)
    await insertPictures(db, jobId, batch.pictures)
    batch = { rows: [], pictures: [], characters: 0 }
  }
  for await (const reading of readings) {
    if ('pictures' in reading) takePictures(reading.pictures, batch, urls)
    else take(reading, batch, staged)
    if (batch.rows.length < BATCH_ROWS && batch.characters < BATCH_CHARACTERS) continue
    await flush()
    const { rowsRead, products } = staged
    if (!(await saveProgress(db, jobId, { rowsRead, products }, clock.now()))) throw importCancelled()
  }
  await flush()
  addIssues(staged.issues, faultsOfNumbers(staged, urls.size))
  staged.pictures = urls.size > MAX_PICTURES ? 0 : urls.size
  return staged
}

/** Passes on the bytes of an upload, and keeps its job from counting as lost when a batch takes minutes to arrive. */
export async function* keepReceiving(
  { db, clock }: { db: Database; clock: Clock },
  jobId: string,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let savedMs = clock.now().getTime()
  for await (const chunk of bytes) {
    const now = clock.now()
    if (now.getTime() - savedMs >= ARRIVAL_MS) {
      savedMs = now.getTime()
      // After a failure it is stored again with a later chunk, long before the job counts as lost.
      if (!(await saveProgress(db, jobId, {}, now).catch(() => true))) throw importCancelled()
    }
    yield chunk
  }
}

function take(reading: Exclude<Reading, { pictures: unknown }>, batch: Batch, staged: Staged): void {
  if ('issue' in reading) {
    addIssues(staged.issues, [reading.issue])
    staged.isWhole = false
  } else if ('issues' in reading) {
    addIssues(staged.issues, reading.issues)
    if (reading.named) takeRow(reading.named, batch, staged)
  } else if ('dryRun' in reading) staged.dryRun ||= reading.dryRun
  // The mode, the number of rows and similar values have the same names in both objects.
  else if (!('row' in reading)) Object.assign(staged, reading)
  else {
    const { row, characters = sizeOf(row) } = reading
    takeRow(row, batch, staged)
    batch.characters += characters
    staged.types.add(row.type)
    staged.hasDiscounts ||= row.type === 'discount'
  }
}

function takeRow(row: ImportRow, batch: Batch, staged: Staged): void {
  batch.rows.push({ ...row, place: staged.rowsRead++ })
  if (row.type === 'product') staged.products++
}

/** @param urls of the pictures so far: at most one more than allowed */
function takePictures(pictures: readonly ImportPicture[], batch: Batch, urls: Set<string>): void {
  for (const picture of pictures) {
    if (urls.has(picture.url) || urls.size > MAX_PICTURES) continue
    urls.add(picture.url)
    batch.pictures.push({ ...picture, place: urls.size })
  }
}

function faultsOfNumbers({ end, rowsRead, issues }: Staged, pictures: number) {
  const countDiffers = end !== undefined && end !== rowsRead && issues.total === 0
  const tooMany = `must not be more than ${MAX_PICTURES}; split the file, or import with keep_picture_links=1`
  return [
    ...(countDiffers ? [{ path: 'end', message: `the file declares ${end} rows, but ${rowsRead} arrived` }] : []),
    ...(pictures > MAX_PICTURES ? [{ path: 'pictures', message: tooMany }] : []),
  ]
}

/** A rough size where it is not known: the long parts of a row are its variants, its texts and the slugs it names. */
function sizeOf({ skus = [], refs = [] }: ImportRow): number {
  return 4000 + skus.length * 300 + refs.length * 50
}
