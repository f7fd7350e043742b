import { sql, type RawBuilder } from 'kysely'

/**
 * For `where id = …` or `where ctid = …`: matches the first rows that no other transaction has locked, and locks them,
 * so that several replicas claim from one table without waiting for each other. They are selected once, as an array: a
 * subquery behind `in` may be executed again for every row, and then more than the limit match.
 * @param rows a `select` of that column, in the order of the index that finds the rows
 */
export const anyUnlocked = (rows: RawBuilder<unknown>, limit: number) =>
  sql`any(array(${rows} limit ${limit} for update skip locked))`
