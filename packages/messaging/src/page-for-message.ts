/** Far below the 1 MiB that NATS carries. */
const PAGE_BYTES = 256_000

interface PageOptions<Row, PageRecord> {
  /** How many rows were requested: fewer rows mean that there are no more. */
  limit: number
  recordOf: (row: Row) => PageRecord
  /** The parameters that request the page after this row. */
  nextOf: (row: Row) => string
  maxBytes?: number
}

/**
 * Cuts rows to the size of one NATS message: as many as fit, and at least one.
 * @param rows in the order of the pages
 * @returns the records, and the parameters of the next page; without `next` these were the last
 */
export function pageForMessage<Row, PageRecord>(
  rows: readonly Row[],
  { limit, recordOf, nextOf, maxBytes = PAGE_BYTES }: PageOptions<Row, PageRecord>,
): { records: PageRecord[]; next?: string } {
  const records: PageRecord[] = []
  let bytes = 0
  for (const row of rows) {
    const record = recordOf(row)
    bytes += Buffer.byteLength(JSON.stringify(record)) + 1
    if (records.length > 0 && bytes > maxBytes) break
    records.push(record)
  }
  const last = rows[records.length - 1]
  const isAll = records.length === rows.length && rows.length < limit
  return isAll || last === undefined ? { records } : { records, next: nextOf(last) }
}
