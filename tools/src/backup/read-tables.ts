import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { ClientBase } from 'pg'
import { StartError } from '../start-error.ts'
import * as queries from './backup.queries.ts'
import { writeRows } from './copy-rows.queries.ts'
import { countLines } from './count-lines.ts'
import { fileOf, type Manifest } from './manifest.ts'
import { inOrderOfReferences } from './table-order.ts'

/**
 * Fills the tables of these schemas, which migrations have just created, from the files of a backup. Runs in the
 * caller's transaction. A backup contains only rows: nothing in it is executed.
 * @param options.reached called with the number of rows read so far, and the number of all rows
 * @returns the tables
 * @throws StartError when the backup has other columns or rows than its manifest names
 */
export async function readTables(
  client: ClientBase,
  schemas: readonly string[],
  { folder, manifest }: { folder: string; manifest: Manifest },
  { reached, signal }: { reached: (done: number, total: number) => void; signal: AbortSignal },
): Promise<queries.Table[]> {
  const tables = await queries.tablesOf(client, schemas)
  requireSameTables(tables, manifest)
  await queries.emptyTables(client, tables)
  const total = Object.values(manifest.rows).reduce((sum, rows) => sum + rows, 0)
  const incomplete: string[] = []
  let done = 0
  reached(done, total)
  for (const table of inOrderOfReferences(tables, await queries.referencesOf(client, schemas))) {
    const key = keyOf(table)
    const rows = await readTable(
      client,
      { ...table, columns: manifest.columns[key] ?? [] },
      {
        file: join(folder, fileOf(key)),
        counted: (lines) => reached((done += lines), total),
        signal,
      },
    )
    if (rows !== manifest.rows[key]) incomplete.push(key)
  }
  if (incomplete.length > 0) {
    throw new StartError(`Rows are missing in ${incomplete.join(', ')}: restore another backup.`)
  }
  for (const [name, last] of Object.entries(manifest.sequences)) await setSequence(client, schemas, name, last)
  return tables
}

/** @returns how many rows were written */
async function readTable(
  client: ClientBase,
  table: queries.Table,
  { file, counted, signal }: { file: string; counted: (lines: number) => void; signal: AbortSignal },
): Promise<number> {
  if (table.hasTriggers) await queries.switchTriggers(client, table, 'disable')
  const target = writeRows(client, table)
  await pipeline(createReadStream(file), createGunzip(), countLines(counted), target, { signal })
  if (table.hasTriggers) await queries.switchTriggers(client, table, 'enable')
  return target.rowCount
}

function requireSameTables(tables: readonly queries.Table[], { columns }: Manifest): void {
  const existing = new Map(tables.map((table) => [keyOf(table), table.columns.toSorted().join()]))
  const keys = new Set([...existing.keys(), ...Object.keys(columns)])
  const differing = [...keys].filter((key) => existing.get(key) !== columns[key]?.toSorted().join())
  if (differing.length > 0) {
    throw new StartError(
      `The backup has other columns in ${differing.slice(0, 5).join(', ')} than its migrations create: these tables were changed by hand before the backup, or the manifest after it.`,
    )
  }
}

async function setSequence(
  client: ClientBase,
  schemas: readonly string[],
  key: string,
  last: string | null,
): Promise<void> {
  const [schema = '', ...rest] = key.split('.')
  if (last !== null && schemas.includes(schema))
    await queries.setSequence(client, { schema, name: rest.join('.') }, last)
}

function keyOf({ schema, name }: queries.Named): string {
  return `${schema}.${name}`
}
