import { z } from 'zod'

type RawIssue = z.core.$ZodRawIssue

/** The words of JSON and of our documents in place of the types of TypeScript and zod. */
const TYPES = new Map([
  ['string', 'a string'],
  ['number', 'a number'],
  ['int', 'a whole number'],
  ['boolean', 'true or false'],
  ['array', 'an array'],
  ['tuple', 'an array'],
  ['object', 'an object'],
  ['record', 'an object'],
  ['null', 'null'],
])

const FORMATS = new Map([
  ['email', 'a valid email address'],
  ['url', 'a valid URL'],
  ['datetime', 'a time such as 2026-03-01T09:30:00.000Z'],
  ['date', 'a date such as 2026-03-01'],
])

/**
 * Says what a value must be, in the words of our own messages: "must have at most 100 characters". It applies wherever
 * a schema has no message of its own.
 * @returns undefined for an issue that no schema of a request has, which zod then describes itself
 */
export function issueWords(issue: RawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return wordsOfType(issue.expected, issue.input)
    case 'invalid_value':
      return wordsOfChoice(issue.values)
    case 'too_big':
      return wordsOfSize(issue, issue.maximum, issue.inclusive === false ? 'less than' : 'at most')
    case 'too_small':
      return wordsOfSize(issue, issue.minimum, issue.inclusive === false ? 'more than' : 'at least')
    case 'invalid_format':
      return wordsOfFormat(issue)
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'unrecognized_keys':
      return `Unknown field ${issue.keys.map((key) => `\`${key}\``).join(', ')}.`
    case 'invalid_union':
      return issue.input === undefined ? 'is missing' : 'has none of the forms that are allowed here'
    case 'invalid_key':
      return 'has a name that is not allowed here'
    case 'invalid_element':
    case 'custom':
    case undefined:
    default:
      return undefined
  }
}

// The schemas are in many packages, and their issues are read in many places: zod has one place for the words of all.
z.config({ customError: issueWords })

function wordsOfType(expected: string, input: unknown): string | undefined {
  if (input === undefined) return 'is missing'
  const words = TYPES.get(expected)
  if (words === undefined) return undefined
  return expected === 'int' ? `must be ${words}` : `must be ${words}, not ${foundType(input)}`
}

function foundType(input: unknown): string {
  if (input === null) return 'null'
  if (Array.isArray(input)) return 'an array'
  return typeof input === 'boolean' ? String(input) : (TYPES.get(typeof input) ?? typeof input)
}

function wordsOfChoice(values: readonly unknown[]): string {
  const names = values.map((value) => (typeof value === 'bigint' ? String(value) : JSON.stringify(value)))
  return names.length === 1 ? `must be ${names.join('')}` : `must be one of ${names.join(', ')}`
}

interface Size {
  origin: string
  exact?: boolean | undefined
}

function wordsOfSize({ origin, exact }: Size, limit: number | bigint, comparison: string): string {
  const unit = new Map([
    ['string', 'character'],
    ['array', 'item'],
  ]).get(origin)
  if (unit === undefined) return `must be ${exact === true ? 'exactly' : comparison} ${limit}`
  if (origin === 'string' && comparison === 'at least' && exact !== true && Number(limit) === 1)
    return 'must not be empty'
  return `must have ${exact === true ? 'exactly' : comparison} ${limit} ${unit}${Number(limit) === 1 ? '' : 's'}`
}

function wordsOfFormat(issue: RawIssue & { code: 'invalid_format' }): string | undefined {
  const words = FORMATS.get(issue.format)
  if (words !== undefined) return `must be ${words}`
  if (issue.format === 'regex') return `must match the pattern ${String(issue.pattern)}`
  return undefined
}
