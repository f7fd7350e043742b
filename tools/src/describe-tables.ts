import type { Client } from 'pg'
import type { ServiceName } from '@storefront/contracts'

/** What a value of each type of PostgreSQL is in a row, as node-postgres reads it (packages/postgres/src/database.ts). */
const TYPES: Readonly<Record<string, string>> = {
  text: 'string',
  tsvector: 'string',
  bool: 'boolean',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  float4: 'number',
  float8: 'number',
  timestamptz: 'Date',
  date: 'Date',
  bytea: 'Buffer',
  json: 'unknown',
  jsonb: 'unknown',
}

/** @param name of a type as `pg_type` has it, `_text` for an array of texts */
export function typeOfValue(name: string): string {
  // The elements of arrays are not read by the parser that is set for bigint columns.
  const type = name === '_int8' ? 'string' : TYPES[name.replace(/^_/, '')]
  if (type === undefined) throw new Error(`add the PostgreSQL type ${name} to TYPES in tools/src/describe-tables.ts`)
  return name.startsWith('_') ? `${type}[]` : type
}

interface ColumnRow {
  table: string
  column: string
  type: string
  isNullable: boolean
  isAlwaysGenerated: boolean
  hasDefault: boolean
  /** Check constraints on this column alone. */
  checks: string[]
}

/** Their statements are in packages, and serve every schema. */
const TABLES_OF_PACKAGES = ['audit_entries', 'inbox', 'migrations', 'outbox', 'receipt_checks', 'sent_events']

/**
 * Describes the tables of a schema as kysely's types. A column that a check constraint limits to certain texts has these
 * as its type.
 * @param client connected as a role that may read the catalogs of the schema
 * @param declared columns whose values have a type in column-types.ts of the service
 */
export async function describeTables(
  client: Client,
  service: ServiceName,
  declared: ReadonlySet<string>,
): Promise<string> {
  const { rows } = await client.query<ColumnRow>(columnsSql, [service, TABLES_OF_PACKAGES])
  const existing = new Set(rows.map(({ table, column }) => `${table}.${column}`))
  const unknown = [...declared].find((column) => !existing.has(column))
  if (unknown !== undefined) throw new Error(`column-types.ts of ${service} names ${unknown}, which does not exist`)
  const body = [...Map.groupBy(rows, ({ table }) => table)]
    .map(([table, columns]) => [
      `${table}: {`,
      ...columns.map((each) => `${each.column}: ${columnType(each, declared.has(`${table}.${each.column}`))}`),
      '}',
    ])
    .flat()
    .join('\n')
  const names = ['ColumnType', 'Generated', 'GeneratedAlways'].filter((name) => body.includes(`${name}<`))
  return [
    `// The tables of the schema "${service}" after all migrations; made by npm run schema.`,
    `import type { ${names.join(', ')} } from 'kysely'`,
    ...(declared.size === 0 ? [] : [`import type { ColumnTypes } from './column-types.ts'`]),
    `\nexport interface ${service.replace(/^./, (letter) => letter.toUpperCase())}Tables {\n${body}\n}\n`,
  ].join('\n')
}

function columnType(column: ColumnRow, isDeclared: boolean): string {
  const type = isDeclared
    ? `ColumnTypes['${column.table}.${column.column}']`
    : (closedSet(column) ?? typeOfValue(column.type))
  const orNull = column.isNullable ? ' | null' : ''
  const value = type === 'unknown' ? type : `${type}${orNull}`
  if (column.type === 'json' || column.type === 'jsonb') {
    return `ColumnType<${value}, string${orNull}${column.hasDefault ? ' | undefined' : ''}, string${orNull}>`
  }
  if (column.isAlwaysGenerated) return `GeneratedAlways<${value}>`
  return column.hasDefault ? `Generated<${value}>` : value
}

/** The texts that a check constraint allows, as a type. */
function closedSet({ type, checks }: ColumnRow): string | undefined {
  if (type !== 'text') return undefined
  const [values] = checks.flatMap(
    (check) => /^CHECK \(\(\w+ = (?:ANY \(ARRAY\[)?('.*'::text)[\])]*$/.exec(check)?.[1] ?? [],
  )
  return values?.replaceAll('::text', '').replaceAll(', ', ' | ')
}

const columnsSql = `
  select c.relname as "table", a.attname as "column", t.typname as type, not a.attnotnull as "isNullable",
    a.attidentity = 'a' or a.attgenerated <> '' as "isAlwaysGenerated",
    a.attidentity = 'd' or d.oid is not null as "hasDefault",
    array(select pg_get_constraintdef(k.oid) from pg_constraint k
      where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum] order by k.conname) as checks
  from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
  join pg_type t on t.oid = a.atttypid left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where n.nspname = $1 and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> all($2)
    and a.attnum > 0 and not a.attisdropped
  order by c.relname collate "C", a.attnum`
