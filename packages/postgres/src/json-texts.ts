import { sql, type RawBuilder } from 'kysely'

/** Separates documents, because JSON contains it only in escaped form. */
const RECORD_SEPARATOR = '\u001e'

/**
 * A `text[]` of JSON documents. PostgreSQL's notation of an array would escape each of their quotes, which took longer
 * in an import than serializing the documents.
 */
export function jsonTexts(documents: readonly string[]): RawBuilder<string[]> {
  return sql<string[]>`string_to_array(${documents.join(RECORD_SEPARATOR)}, ${RECORD_SEPARATOR})`
}
