// Not in backup.queries.ts, which the doctor imports: its image does not have pg-copy-streams.
import { escapeIdentifier, type ClientBase } from 'pg'
import { from as copyFrom, to as copyTo, type CopyStreamQuery, type CopyToStreamQuery } from 'pg-copy-streams'
import { quoted, type Table } from './backup.queries.ts'

/** Reads the rows of a table in PostgreSQL's text format: one line for each row. */
export function readRows(client: ClientBase, table: Pick<Table, 'schema' | 'name' | 'columns'>): CopyToStreamQuery {
  return client.query(copyTo(`copy ${quoted(table)} (${columnList(table.columns)}) to stdout`))
}

/** Writes rows in the format of `readRows`. */
export function writeRows(client: ClientBase, table: Pick<Table, 'schema' | 'name' | 'columns'>): CopyStreamQuery {
  return client.query(copyFrom(`copy ${quoted(table)} (${columnList(table.columns)}) from stdin`))
}

function columnList(columns: readonly string[]): string {
  return columns.map((column) => escapeIdentifier(column)).join(', ')
}
