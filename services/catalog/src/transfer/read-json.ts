import { compareFields, unknownFieldFaults } from '@storefront/http'
import type { ZodError } from 'zod'
import { ImportBody } from '@storefront/contracts'
import { issuesOf } from '../errors.ts'
import type { Reading } from './row-kind.ts'
import { KINDS_IN_ORDER, ROW_KINDS, takeLibrary } from './row-kinds.ts'
import { splitJson, type Part } from './split-json.ts'

/** The kinds of rows that have their own list, by its name. */
const LISTS = new Map(
  KINDS_IN_ORDER.flatMap((kind) => (kind.list === undefined || kind.inLibrary ? [] : [[kind.list, kind]])),
)

/** The rows of an import that is one JSON document, whose members may be in any order. */
export async function* readJson(body: AsyncIterable<Uint8Array>): AsyncGenerator<Reading> {
  const names = new Set<string>()
  let isObject = true
  let hasUnreadableName = false
  for await (const part of splitJson(body, (name) => LISTS.has(name))) {
    if ('issue' in part) {
      yield part
      hasUnreadableName = part.issue.path === ''
    } else if ('name' in part) {
      hasUnreadableName = false
      // A parser would keep the last value, but here the rows of the first are already being read.
      if (names.has(part.name)) yield { issue: { path: part.name, message: 'occurs twice in this document' } }
      if (Object.hasOwn(ImportBody.shape, part.name)) names.add(part.name)
      if (part.name === 'discounts') yield { hasDiscounts: true }
    } else {
      isObject &&= part.member !== undefined
      // Its name was already reported as invalid.
      if (!hasUnreadableName) yield* readPart(part)
    }
  }
  if (isObject && !names.has('mode')) yield* readMember('mode', undefined)
}

function readPart({ value, member, index, path, characters }: Extract<Part, { value: unknown }>): Reading[] {
  if (member === undefined) {
    if (value === undefined || value === null) return [{ issue: { path: '', message: 'must be given' } }]
    return faultsOf(ImportBody.safeParse(value))
  }
  const kind = LISTS.get(member)
  if (kind && index !== undefined) return kind.read(value, path, characters)
  if (member === 'settings') return ROW_KINDS.settings.read(value, path, characters)
  return readMember(member, value)
}

/** Reads a single member of the document. */
function readMember(member: string, value: unknown): Reading[] {
  const body = { mode: 'merge', [member]: value }
  const unknown = unknownFieldFaults(compareFields(ImportBody, body).unknown)
  const parsed = ImportBody.safeParse(body)
  if (!parsed.success || unknown.length > 0) return [...unknown.map((issue) => ({ issue })), ...faultsOf(parsed)]
  const { mode, library } = parsed.data
  if (member === 'mode') return [{ mode }]
  if (member === 'dry_run' || member === 'dryRun') return [{ dryRun: value === true }]
  return library ? takeLibrary(library, (list, index) => `library.${list}.${index}`) : []
}

function faultsOf({ error }: { error?: ZodError | undefined }): Reading[] {
  return error ? issuesOf(error).map((issue) => ({ issue })) : []
}
