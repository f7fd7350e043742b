import { readOnlyFieldsOf, type ReadOnlyKind } from '@storefront/contracts'
import { z } from 'zod'

type Schema = z.ZodType | z.core.$ZodType

/** A field that its object does not have. */
export interface UnknownField {
  /** Keys that lead to it, joined by dots. */
  path: string
  /** The fields of that object. */
  allowed: readonly string[]
  /** Whole paths of fields in other objects of the same document, where it may belong. */
  elsewhere?: readonly string[]
}

/** A field that replies carry and writes cannot set, as it came. */
export interface SentBackField {
  path: string
  kind: ReadOnlyKind
  value: unknown
}

interface FieldFindings {
  unknown: UnknownField[]
  sentBack: SentBackField[]
}

const MAX_FINDINGS = 100

interface Comparison extends FieldFindings {
  closesLoose: boolean
}

/**
 * Compares the names in a value with the names that a schema has, at every depth. Records accept any name, and so do
 * loose objects unless they are closed; their values are compared. Values of another type than the schema expects are
 * left to its validation.
 * @param schema a zod schema
 * @param value as it came, before it was parsed
 * @param options.closesLoose whether a loose object has only the names that it declares
 * @returns at most 100 findings of each kind
 */
export function compareFields(schema: Schema, value: unknown, { closesLoose = false } = {}): FieldFindings {
  const findings: Comparison = { unknown: [], sentBack: [], closesLoose }
  walk(schema, value, '', findings)
  return { unknown: findings.unknown, sentBack: findings.sentBack }
}

function walk(given: Schema, value: unknown, path: string, findings: Comparison): void {
  if (typeof value !== 'object' || value === null || findings.unknown.length >= MAX_FINDINGS) return
  const schema = unwrapped(given)
  if (schema instanceof z.ZodObject && !Array.isArray(value)) return walkObject(schema, value, path, findings)
  if (schema instanceof z.ZodRecord) {
    for (const [key, each] of Object.entries(value)) walk(schema.valueType, each, join(path, key), findings)
  } else if (schema instanceof z.ZodArray && Array.isArray(value)) {
    value.forEach((each, index) => walk(schema.element, each, join(path, String(index)), findings))
  } else if (schema instanceof z.ZodTuple && Array.isArray(value)) {
    schema.def.items.forEach((item, index) => walk(item, value[index], join(path, String(index)), findings))
  } else if (schema instanceof z.ZodUnion) {
    walkUnion(schema.options, value, path, findings)
  } else if (schema instanceof z.ZodIntersection) {
    throw new TypeError('names in an intersection cannot be compared: extend one object by the other')
  }
}

function walkObject(schema: z.ZodObject, value: object, path: string, findings: Comparison): void {
  const readOnly = readOnlyFieldsOf(schema)
  const { catchall } = schema.def
  const isClosed = findings.closesLoose || catchall === undefined || unwrapped(catchall) instanceof z.ZodNever
  for (const [key, each] of Object.entries(value)) {
    const field = Object.hasOwn(schema.shape, key) ? schema.shape[key] : undefined
    const kind = readOnly.get(key)
    if (field !== undefined) walk(field, each, join(path, key), findings)
    else if (kind !== undefined) findings.sentBack.push({ path: join(path, key), kind, value: each })
    else if (isClosed && each !== undefined && findings.unknown.length < MAX_FINDINGS) {
      findings.unknown.push({ path: join(path, key), allowed: Object.keys(schema.shape) })
    }
  }
}

/** Of several shapes, chooses the one that leaves the fewest names unknown. */
function walkUnion(options: readonly Schema[], value: object, path: string, findings: Comparison): void {
  const wanted = Array.isArray(value) ? [z.ZodArray, z.ZodTuple] : [z.ZodObject, z.ZodRecord, z.ZodUnion]
  const [best] = options
    .filter((option) => wanted.some((kind) => unwrapped(option) instanceof kind))
    .map((option) => {
      const found: Comparison = { unknown: [], sentBack: [], closesLoose: findings.closesLoose }
      walk(option, value, path, found)
      return { found, fits: z.safeParse(option, value).success }
    })
    .toSorted((one, other) => rankOf(one) - rankOf(other))
  if (!best) return
  findings.unknown.push(...best.found.unknown)
  findings.sentBack.push(...best.found.sentBack)
}

function rankOf({ found, fits }: { found: FieldFindings; fits: boolean }): number {
  return found.unknown.length + (fits ? 0 : MAX_FINDINGS)
}

/** The schema that defines the names. */
function unwrapped(given: Schema): Schema {
  let schema = given
  for (;;) {
    if (
      schema instanceof z.ZodOptional ||
      schema instanceof z.ZodNullable ||
      schema instanceof z.ZodDefault ||
      schema instanceof z.ZodPrefault ||
      schema instanceof z.ZodCatch ||
      schema instanceof z.ZodReadonly ||
      schema instanceof z.ZodNonOptional
    ) {
      schema = schema.def.innerType
    } else if (schema instanceof z.ZodLazy) schema = schema.def.getter()
    // The output of a transform is parsed by the schema after it, which has the names.
    else if (schema instanceof z.ZodPipe)
      schema = schema.def.in instanceof z.ZodTransform ? schema.def.out : schema.def.in
    else return schema
  }
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}
