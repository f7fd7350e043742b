import { sql, type RawBuilder } from 'kysely'

/** JSON contains it only in escaped form. */
const RECORD_SEPARATOR = '\u001e'

/**
 * A `text[]` of JSON documents. As an array, PostgreSQL's notation would escape each of their quotes, which in an
 * import took longer than making the documents.
 */
export function jsonTexts(documents: readonly string[]): RawBuilder<string[]> {
  return sql<string[]>`string_to_array(${documents.join(RECORD_SEPARATOR)}, ${RECORD_SEPARATOR})`
}
