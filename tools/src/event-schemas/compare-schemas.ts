import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'

const Part = z.record(z.string(), z.unknown())
type Part = z.output<typeof Part>

const Parts = Part.optional().transform((parts) => parts ?? {})
const Names = z
  .array(z.string())
  .optional()
  .transform((names) => names ?? [])
const Values = z.array(z.unknown()).optional()
const Types = z.union([z.string().transform((type) => [type]), z.array(z.string())]).optional()
const Bound = z.number().optional()

/** Keywords that do not restrict events. */
const REMARKS = ['$schema', '$defs', '$ref', 'title', 'description', 'default', 'examples', 'id', '$id']
const COMPARED = ['type', 'enum', 'const', 'anyOf', 'oneOf', 'properties', 'required', 'items', 'additionalProperties']
const BOUNDS = ['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum']
const SIZES = ['minLength', 'minItems', 'minProperties', 'maxLength', 'maxItems', 'maxProperties']

/**
 * Lists the differences of the next shape that would break consumers of the published shape, or consumers that still
 * receive events of the published shape. New optional fields, more values and wider bounds break nothing, because
 * consumers are deployed before publishers.
 * @returns sentences, none when the next shape may replace the published one
 */
export function breachesOf(published: unknown, next: unknown): string[] {
  const before = Part.parse(published)
  const after = Part.parse(next)
  return new Comparison(before, after).compare(before, after, '')
}

/** Compares parts of two schemas, whose references are relative to the whole schemas. */
class Comparison {
  readonly #before: Part
  readonly #after: Part
  readonly #visited = new Set<string>()

  constructor(before: Part, after: Part) {
    this.#before = before
    this.#after = after
  }

  compare(earlier: unknown, later: unknown, place: string): string[] {
    const pair = `${refOf(earlier)} ${refOf(later)}`
    if (refOf(earlier) !== undefined || refOf(later) !== undefined) {
      if (this.#visited.has(`${place} ${pair}`) || place.split('.').length > 40) return []
      this.#visited.add(`${place} ${pair}`)
    }
    const before = resolve(this.#before, earlier)
    const after = resolve(this.#after, later)
    const choices = alternativesOf(before)
    const laterChoices = alternativesOf(after)
    if (choices === undefined && laterChoices === undefined) return this.#comparePlain(before, after, place)
    return (choices ?? [before]).flatMap((choice) =>
      fewest((laterChoices ?? [after]).map((laterChoice) => this.compare(choice, laterChoice, place))),
    )
  }

  #comparePlain(before: Part, after: Part, place: string): string[] {
    const faults = compareValues(before, after, place)
    // A different type causes further differences, which are not reported.
    if (faults.length > 0) return faults
    return [
      ...compareBounds(before, after, place),
      ...this.#compareFields(before, after, place),
      ...this.#compareContents(before, after, place),
      ...compareRemaining(before, after, place),
    ]
  }

  #compareFields(before: Part, after: Part, place: string): string[] {
    const fields = Parts.parse(before['properties'])
    const laterFields = Parts.parse(after['properties'])
    const required = Names.parse(before['required'])
    const laterRequired = Names.parse(after['required'])
    const isFilledIn = (name: string): boolean => 'default' in resolve(this.#after, laterFields[name])
    return [
      ...Object.entries(fields).flatMap(([name, field]) =>
        name in laterFields
          ? this.compare(field, laterFields[name], at(place, name))
          : [`${at(place, name)} was removed or renamed`],
      ),
      ...laterRequired
        .filter((name) => !required.includes(name) && !isFilledIn(name))
        .map((name) => `${at(place, name)} is required now, and older events may lack it`),
      ...required
        .filter((name) => name in laterFields && !laterRequired.includes(name))
        .map((name) => `${at(place, name)} may be missing now`),
    ]
  }

  #compareContents(before: Part, after: Part, place: string): string[] {
    return (['items', 'additionalProperties'] as const).flatMap((keyword) => {
      const here = `${place}${keyword === 'items' ? '[]' : '.*'}`
      if (before[keyword] === undefined && after[keyword] === undefined) return []
      if (before[keyword] === undefined) return [`${here} was unrestricted and is restricted now`]
      if (after[keyword] === undefined) return [`${here} may be anything now`]
      return this.compare(before[keyword], after[keyword], here)
    })
  }
}

function compareValues(before: Part, after: Part, place: string): string[] {
  const values = valuesOf(before)
  const laterValues = valuesOf(after)
  if (laterValues !== undefined) {
    if (values === undefined) return [`${named(place)} may only have certain values now`]
    const gone = values.filter((value) => !laterValues.some((later) => isDeepStrictEqual(value, later)))
    return gone.map((value) => `${named(place)} may not be ${JSON.stringify(value)} any more`)
  }
  const types = Types.parse(before['type'])
  const laterTypes = Types.parse(after['type'])
  if (laterTypes === undefined) return types === undefined ? [] : [`${named(place)} may be anything now`]
  const isAllowed = (type: string): boolean =>
    laterTypes.includes(type) || (type === 'integer' && laterTypes.includes('number'))
  if (types?.every(isAllowed) === true) return []
  return [`${named(place)} was ${types?.join(' or ') ?? 'anything'} and is ${laterTypes.join(' or ')} now`]
}

function compareBounds(before: Part, after: Part, place: string): string[] {
  const bound = (part: Part, keyword: string): number | undefined => Bound.parse(part[keyword])
  const lower = (part: Part) => lowerEdge(bound(part, 'minimum'), bound(part, 'exclusiveMinimum'))
  const upper = (part: Part) => lowerEdge(negative(bound(part, 'maximum')), negative(bound(part, 'exclusiveMaximum')))
  const faults = [lower, upper].some((side) => isStricter(side(after), side(before)))
    ? [`${named(place)} may have fewer numbers now`]
    : []
  const sizes = SIZES.filter((keyword) => {
    const sign = keyword.startsWith('max') ? -1 : 1
    const later = bound(after, keyword)
    const earlier = bound(before, keyword)
    return later !== undefined && (earlier === undefined || sign * later > sign * earlier)
  })
  return [...faults, ...sizes.map((keyword) => `${named(place)} has a stricter ${keyword} now`)]
}

/** Keywords that this comparison does not know may stay or be removed, but not be added or changed. */
function compareRemaining(before: Part, after: Part, place: string): string[] {
  const known = new Set([...REMARKS, ...COMPARED, ...BOUNDS, ...SIZES])
  return Object.entries(after)
    .filter(([keyword, value]) => !known.has(keyword) && !isDeepStrictEqual(value, before[keyword]))
    .map(([keyword]) => `${named(place)} has another ${keyword} now`)
}

interface Edge {
  value: number
  isOpen: boolean
}

function lowerEdge(closed: number | undefined, open: number | undefined): Edge | undefined {
  if (open !== undefined && (closed === undefined || open >= closed)) return { value: open, isOpen: true }
  return closed === undefined ? undefined : { value: closed, isOpen: false }
}

function isStricter(later: Edge | undefined, earlier: Edge | undefined): boolean {
  if (later === undefined) return false
  if (earlier === undefined || later.value > earlier.value) return true
  return later.value === earlier.value && later.isOpen && !earlier.isOpen
}

const negative = (value: number | undefined): number | undefined => (value === undefined ? undefined : -value)

function valuesOf(part: Part): unknown[] | undefined {
  return 'const' in part ? [part['const']] : Values.parse(part['enum'])
}

function alternativesOf(part: Part): unknown[] | undefined {
  return Values.parse(part['anyOf'] ?? part['oneOf'])
}

function fewest(results: string[][]): string[] {
  return results.toSorted((one, other) => one.length - other.length)[0] ?? []
}

function refOf(part: unknown): string | undefined {
  const { data } = z.object({ $ref: z.string().optional() }).safeParse(part)
  return data?.$ref
}

/** Follows references; a schema that is `true` allows everything, `false` nothing. */
function resolve(root: Part, part: unknown): Part {
  if (part === undefined || part === true) return {}
  if (part === false) return { not: {} }
  const ref = refOf(part)
  if (ref === undefined) return Part.parse(part)
  const target = ref
    .replace(/^#\/?/, '')
    .split('/')
    .filter((step) => step !== '')
    .reduce<unknown>((within, step) => Part.parse(within)[step], root)
  const { $ref: _ref, ...beside } = Part.parse(part)
  return { ...resolve(root, target), ...beside }
}

const at = (place: string, name: string): string => (place === '' ? name : `${place}.${name}`)
const named = (place: string): string => (place === '' ? 'the event' : place)
