import { compareFields, unknownFieldFaults } from '@storefront/http'
import type { ZodError } from 'zod'
import { ImportBody } from '@storefront/contracts'
import { issuesOf } from '../errors.ts'
import { cutJson, type Part } from './cut-json.ts'
import { ROW_KINDS, type Reading } from './import-rows.ts'

type ReadElement = (element: unknown, path: string, characters: number) => Reading[]

const LISTS: ReadonlyMap<string, ReadElement> = new Map<string, ReadElement>([
  ['categories', ROW_KINDS.category.read],
  ['collections', ROW_KINDS.collection.read],
  ['sizeCharts', ROW_KINDS.sizeChart.read],
  ['products', ROW_KINDS.product.read],
  ['reviews', ROW_KINDS.review.read],
  ['discounts', ROW_KINDS.discount.read],
])

/** The rows of an import that is one JSON document, whose members may be in any order. */
export async function* readJson(body: AsyncIterable<Uint8Array>): AsyncGenerator<Reading> {
  const names = new Set<string>()
  let isObject = true
  let hasUnreadableName = false
  for await (const part of cutJson(body, (name) => LISTS.has(name))) {
    if ('issue' in part) {
      yield part
      hasUnreadableName = part.issue.path === ''
    } else if ('name' in part) {
      hasUnreadableName = false
      // A parser would keep the last one, but the rows of the first are already being read.
      if (names.has(part.name)) yield { issue: { path: part.name, message: 'occurs twice in this document' } }
      if (Object.hasOwn(ImportBody.shape, part.name)) names.add(part.name)
      if (part.name === 'discounts') yield { namesDiscounts: true }
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
  const readElement = LISTS.get(member)
  if (readElement && index !== undefined) return readElement(value, path, characters)
  if (member === 'settings') return ROW_KINDS.settings.read(value, path, characters)
  return readMember(member, value)
}

/** Reads a member by itself, as it would be read among the others. */
function readMember(member: string, value: unknown): Reading[] {
  const body = { mode: 'merge', [member]: value }
  const unknown = unknownFieldFaults(compareFields(ImportBody, body).unknown)
  const parsed = ImportBody.safeParse(body)
  if (!parsed.success || unknown.length > 0) return [...unknown.map((issue) => ({ issue })), ...faultsOf(parsed)]
  const { mode, library } = parsed.data
  if (member === 'mode') return [{ mode }]
  if (member === 'dry_run' || member === 'dryRun') return [{ dryRun: value === true }]
  const { attributes = [], features = [], assurances = [] } = library ?? {}
  return [
    ...attributes.map((row, index) => ROW_KINDS.attribute.take(row, `library.attributes.${index}`)),
    ...features.map((row, index) => ROW_KINDS.feature.take(row, `library.features.${index}`)),
    ...assurances.map((row, index) => ROW_KINDS.assurance.take(row, `library.assurances.${index}`)),
  ]
}

function faultsOf({ error }: { error?: ZodError | undefined }): Reading[] {
  return error ? issuesOf(error).map((issue) => ({ issue })) : []
}
