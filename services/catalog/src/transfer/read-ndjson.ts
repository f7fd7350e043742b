import { z } from 'zod'
import { compareFields, parseJsonBody, unknownFieldFaults } from '@storefront/http'
import { HttpError } from '@storefront/service'
import { IMPORT_ROW_TYPES, ImportMode, LibraryInput } from '@storefront/contracts'
import { readLines } from './read-lines.ts'
import type { Reading } from './row-kind.ts'
import { ROW_KINDS, takeLibrary } from './row-kinds.ts'

const RowLine = z.object({ type: z.enum(IMPORT_ROW_TYPES), data: z.unknown() })
const OtherLine = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('import'),
    // Distinguishes a shop without discounts from a file that leaves them out.
    data: z.object({
      mode: ImportMode,
      discounts: z.literal(true).optional(),
      dry_run: z.boolean().optional(),
      dryRun: z.boolean().optional(),
    }),
  }),
  z.object({ type: z.literal('library'), data: LibraryInput }),
  // Contains the number of rows, so that a truncated file is detected.
  z.object({ type: z.literal('end'), data: z.object({ rows: z.int() }) }),
])

/** The rows of an import as NDJSON: one `{ "type", "data" }` per line, in any order. */
export async function* readNdjson(body: AsyncIterable<Uint8Array>): AsyncGenerator<Reading> {
  for await (const line of readLines(body)) {
    if ('issue' in line) yield line
    else yield* readLine(line.text, line.number)
  }
}

function readLine(text: string, number: number): Reading[] {
  const path = `line ${number}`
  let value: unknown
  try {
    value = parseJsonBody(text)
  } catch (error) {
    return [{ issue: { path, message: messageOf(error) } }]
  }
  const row = RowLine.safeParse(value)
  if (row.success) {
    const { type, data } = row.data
    return [...unknownIn(RowLine, value, path), ...ROW_KINDS[type].read(data, `${path}: data`, text.length)]
  }
  const other = OtherLine.safeParse(value)
  if (!other.success) {
    const isKnown = other.error.issues.some((issue) => issue.path[0] === 'data')
    const message = `must be { "type", "data" } with one of the types ${IMPORT_ROW_TYPES.join(', ')}`
    if (!isKnown) return [{ issue: { path, message } }]
    return other.error.issues.map((issue) => ({
      issue: { path: `${path}: ${issue.path.join('.')}`, message: issue.message },
    }))
  }
  const unknown = unknownIn(OtherLine, value, path)
  if (unknown.length > 0) return unknown
  const { data: line } = other
  if (line.type === 'import') {
    const { mode, discounts, dry_run, dryRun } = line.data
    return [
      { mode },
      ...(discounts === true ? [{ hasDiscounts: true as const }] : []),
      { dryRun: dry_run === true || dryRun === true },
    ]
  }
  if (line.type === 'end') return [{ end: line.data.rows }]
  return takeLibrary(line.data, (list) => `${path}: data.${list}`)
}

function unknownIn(schema: z.ZodType, value: unknown, path: string): Reading[] {
  return unknownFieldFaults(compareFields(schema, value).unknown).map((fault) => ({
    issue: { ...fault, path: `${path}: ${fault.path}` },
  }))
}

function messageOf(error: unknown): string {
  if (error instanceof HttpError && error.code === 'bad_json') return 'is not JSON; the file may be truncated here'
  return 'must not contain NUL characters, lone surrogates or more than 100 levels'
}
