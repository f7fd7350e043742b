import { isDeepStrictEqual } from 'node:util'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { nearestName } from './nearest-name.ts'
import { HttpError } from '@storefront/service'
import { fieldIssues } from './field-issues.ts'
import { compareFields, type SentBackField, type UnknownField } from './unknown-fields.ts'

type NameKind = 'field' | 'parameter'

interface Finding extends UnknownField {
  kind: NameKind
}

interface Fault {
  path: string
  message: string
}

/** The number of names that a message lists when no single one is likely. */
const MAX_LISTED = 20
const MAX_SHOWN_LENGTH = 100
const MAX_ISSUES = 100

/**
 * Checks a request under /admin for names that its route does not have: a merchant who writes `startsOn` instead of
 * `startsAt` must get an error, not a success without effect.
 * @returns the read-only fields that the body carried
 * @throws HttpError `unknown_field` with every unknown name, the valid name that was probably meant, and what else is
 * wrong with the request
 */
export function checkAdminFields({ routeOptions: { schema = {} }, body, query }: FastifyRequest): SentBackField[] {
  const bodySchema = namesOf(schema.body)
  const querySchema = namesOf(schema.querystring)
  const { unknown, sentBack } = compareFields(bodySchema, body)
  const findings: Finding[] = [
    ...compareFields(querySchema, query).unknown.map((each) => ({ ...each, kind: 'parameter' as const })),
    ...unknown.map((each) => ({ ...each, kind: 'field' as const })),
  ]
  if (findings.length > 0)
    throw unknownFields(findings, [...issuesOf(querySchema, query), ...issuesOf(bodySchema, body)])
  return sentBack
}

/**
 * The same for an object whose shape a route knows only from its parameters.
 * @returns the read-only fields that the object carried
 * @throws HttpError `unknown_field`
 */
export function requireKnownFields(schema: z.ZodType, value: unknown): SentBackField[] {
  const { unknown, sentBack } = compareFields(schema, value)
  rejectUnknownFields(unknown, issuesOf(schema, value))
  return sentBack
}

/**
 * The same as a list of issues, for a row of a file.
 * @returns for each unknown name its path, and a sentence with the nearest valid name
 */
export function unknownFieldFaults(unknown: readonly UnknownField[]): (Fault & { code: 'unknown_field' })[] {
  return unknown.map((each) => {
    const { path, sentence } = described({ ...each, kind: 'field' })
    return { path, message: sentence, code: 'unknown_field' }
  })
}

/** @returns the unknown names that are probably known ones, misspelled or misplaced */
export function likelyMistakes(unknown: readonly UnknownField[]): UnknownField[] {
  return unknown.filter((each) => described({ ...each, kind: 'field' }).isLikely)
}

/**
 * @param others other issues of the request, reported in the same reply
 * @throws HttpError `unknown_field` when there is at least one
 */
export function rejectUnknownFields(unknown: readonly UnknownField[], others: readonly Fault[] = []): void {
  if (unknown.length > 0)
    throw unknownFields(
      unknown.map((each) => ({ ...each, kind: 'field' as const })),
      others,
    )
}

/** A route that declares no parameters accepts none. */
function namesOf(declared: unknown): z.ZodType {
  return declared instanceof z.ZodType ? declared : z.object({}).nullish()
}

function issuesOf(schema: z.ZodType, value: unknown): Fault[] {
  return fieldIssues(schema.safeParse(value).error?.issues)
}

function unknownFields(findings: readonly Finding[], others: readonly Fault[]): HttpError {
  const all = findings.map(described)
  const more = all.length - 1
  const hintAtMore = more === 0 ? '' : ` ${more} more ${more === 1 ? 'is' : 'are'} listed in the detail.`
  return new HttpError('unknown_field', `${all[0]?.sentence ?? ''}${hintAtMore}`, {
    detail: {
      fields: all.map(({ path, nearest }) => ({ path, nearest })),
      issues: [...all.map(({ path, sentence }) => ({ path, message: sentence })), ...others].slice(0, MAX_ISSUES),
    },
  })
}

function described({ path, kind, allowed, elsewhere = [] }: Finding): {
  path: string
  nearest: string | undefined
  isLikely: boolean
  sentence: string
} {
  const steps = path.split('.')
  const name = steps.at(-1) ?? ''
  const sibling = nearestName(name, allowed)
  const siblingPath = sibling && [...steps.slice(0, -1), sibling.name].join('.')
  const misplaced = sibling?.isLikely === true ? undefined : elsewhere.find((other) => isSameName(other, name))
  const likely = misplaced ?? (sibling?.isLikely === true ? siblingPath : undefined)
  const shown = path.slice(0, MAX_SHOWN_LENGTH).replaceAll(/\p{Cc}/gu, '\u{FFFD}')
  return {
    path: shown,
    nearest: likely,
    isLikely: likely !== undefined,
    sentence: `Unknown ${kind} \`${shown}\`. ${hint(likely, allowed, kind)}`,
  }
}

function isSameName(path: string, name: string): boolean {
  return nearestName(name, [path.split('.').at(-1) ?? ''])?.isLikely === true
}

function hint(likely: string | undefined, allowed: readonly string[], kind: NameKind): string {
  if (likely !== undefined) return `Did you mean \`${likely}\`?`
  if (allowed.length === 0) return `No ${kind} is allowed here.`
  const names = allowed.slice(0, MAX_LISTED).map((name) => `\`${name}\``)
  return `Valid here: ${names.join(', ')}${allowed.length > MAX_LISTED ? ', …' : ''}.`
}

/**
 * Compares the read-only fields of a body with their current values, so that a change of one is not silently ignored. A
 * record that is sent back whole may be older than the stock and the reviews behind it: its `live` fields are not
 * compared, and null counts as absent.
 * @param sentBack of the request
 * @param current the record as it is read
 * @param options.isWhole whether the body is a whole record; by default, a body with an `id` is
 * @throws HttpError `read_only_field`
 */
export function requireUnchanged(
  sentBack: readonly SentBackField[],
  current: object,
  { isWhole = sentBack.some(({ path }) => path === 'id') } = {},
): void {
  // In its JSON form: undefined members are absent.
  const read: unknown = JSON.parse(JSON.stringify(current))
  const changed = sentBack.find(({ path, kind, value }) => {
    // Lists of parts, such as variants, come in any order: their read-only fields are not compared.
    if (IN_A_LIST.test(path) || (kind === 'live' && (isWhole || value === null))) return false
    // Null in a client's record stands for an absent field.
    return !isDeepStrictEqual(value ?? undefined, valueAt(read, path) ?? undefined)
  })
  if (!changed) return
  throw new HttpError('read_only_field', `The field \`${changed.path}\` is read-only and cannot be changed here.`, {
    detail: { path: changed.path, current: valueAt(read, changed.path) ?? null },
  })
}

const IN_A_LIST = /\.\d+\./

function valueAt(record: unknown, path: string): unknown {
  return path.split('.').reduce((holder: unknown, step) => {
    return typeof holder === 'object' && holder !== null && Object.hasOwn(holder, step)
      ? Reflect.get(holder, step)
      : undefined
  }, record)
}
