import { inShopDatabase } from './shop-database.ts'
import { markdownTable } from './table.ts'

const SHOWN = 15

/** The tables that take the most space, with their indexes. */
export async function largestTables(adminUrl: string): Promise<string> {
  const { rows } = await inShopDatabase(adminUrl, (client) =>
    client.query<{ name: string; rows: string; table: string; indexes: string }>(
      `select format('%I.%I', n.nspname, c.relname) as name, c.reltuples::bigint as rows,
         pg_size_pretty(pg_table_size(c.oid)) as table, pg_size_pretty(pg_indexes_size(c.oid)) as indexes
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')
       order by pg_total_relation_size(c.oid) desc limit ${SHOWN}`,
    ),
  )
  return markdownTable(
    ['table', 'rows', 'size', 'its indexes'],
    rows.map(({ name, rows, table, indexes }) => [name, Number(rows).toLocaleString('en-US'), table, indexes]),
  )
}
