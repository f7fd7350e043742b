import { sql, type RawBuilder } from 'kysely'

/**
 * A condition on a text column. A single value is compared by equality: only then does an index that begins with the
 * column return its rows in the order of the next columns.
 */
export function isOneOf(column: RawBuilder<unknown>, values: readonly string[]): RawBuilder<boolean> {
  return values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} = any(${values}::text[])`
}
