import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'
import type { ClientBase } from 'pg'
import * as queries from './backup.queries.ts'
import { readRows } from './copy-rows.queries.ts'
import { countLines } from './count-lines.ts'
import { DATABASE_FOLDER, fileOf, type Manifest } from './manifest.ts'

/**
 * Writes every table of these schemas into a file of its own, as the snapshot of this connection sees it. Only some
 * hundred kilobytes of a table are in memory at a time.
 * @param options.reached called with the number of rows written so far, and PostgreSQL's estimate of all rows, 0 when
 * it has none
 * @returns columns and rows by `schema.table`
 */
export async function writeTables(
  client: ClientBase,
  schemas: readonly string[],
  folder: string,
  { reached, signal }: { reached: (done: number, total: number) => void; signal: AbortSignal },
): Promise<Pick<Manifest, 'columns' | 'rows'>> {
  await mkdir(join(folder, DATABASE_FOLDER), { mode: 0o700 })
  const tables = await queries.tablesOf(client, schemas)
  const estimated = tables.reduce((sum, { estimatedRows }) => sum + estimatedRows, 0)
  const columns: Manifest['columns'] = {}
  const rows: Manifest['rows'] = {}
  let done = 0
  reached(done, estimated)
  for (const table of tables) {
    const key = `${table.schema}.${table.name}`
    let count = 0
    await pipeline(
      readRows(client, table),
      countLines((lines) => {
        count += lines
        done += lines
        reached(done, done > estimated ? 0 : estimated)
      }),
      createGzip({ level: constants.Z_BEST_SPEED }),
      createWriteStream(join(folder, fileOf(key)), { mode: 0o600, flush: true }),
      { signal },
    )
    columns[key] = table.columns
    rows[key] = count
  }
  return { columns, rows }
}
