import { fieldKindOf } from '@storefront/contracts/field-kind'
import { HttpError } from '@storefront/service'
import type { FieldIssue } from './field-issues.ts'

const MAX_ISSUES = 100
const MAX_NAMED = 3

/** What a field is called in a sentence to a buyer, where its own name would not be understood. */
const NAMES = new Map([
  ['alt', 'the description of the picture'],
  ['author', 'your name'],
  ['body', 'the text'],
  ['code', 'the code'],
  ['currency', 'the currency'],
  ['email', 'the email address'],
  ['fit', 'how it fits'],
  ['line1', 'the first line of the address'],
  ['line2', 'the second line of the address'],
  ['phone', 'the phone number'],
  ['region', 'the state or region'],
])

/** A buyer never sees or types these: their mistakes are the storefront's. */
const TECHNICAL = /(?:^|_)(?:id|ids|slug|token|url|signature|cursor|kind)$|Id$|Ids$|Slug$|Url$/

/**
 * A request whose shape is wrong. To a buyer the message names what to correct; `detail.issues` has the paths for the
 * integrator.
 * @param options.place the part of the request that the issues are about, such as `body` or `headers`
 */
export function invalidRequest(
  issues: readonly FieldIssue[],
  { place, isForBuyer }: { place: string | undefined; isForBuyer: boolean },
): HttpError {
  const sentence =
    (place === 'headers' && sentenceOfHeader(issues)) || (isForBuyer && place === 'body' && sentenceOf(issues))
  return new HttpError('validation_failed', sentence || 'Something in this request is missing or not valid.', {
    detail: { issues: issues.slice(0, MAX_ISSUES) },
  })
}

/** No buyer types a header. */
function sentenceOfHeader([first]: readonly FieldIssue[]): string | undefined {
  if (first === undefined) return undefined
  const name = first.path.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())
  return `The header \`${name}\` ${first.message}.`
}

/** @returns undefined when there is nothing that a buyer could correct */
function sentenceOf(issues: readonly FieldIssue[]): string | undefined {
  const names = new Set(issues.map(({ path }) => nameOf(path)))
  if (names.has(undefined)) return undefined
  const [name = ''] = names
  const [issue] = issues
  if (names.size === 1 && issue !== undefined) return sentenceOfField(name, issue.message)
  const shown = [...names].slice(0, MAX_NAMED)
  const more = names.size - shown.length
  const last = more > 0 ? `${more} more` : (shown.pop() ?? '')
  return `Please check ${shown.join(', ')} and ${last}.`
}

function sentenceOfField(name: string, message: string): string {
  const found = fieldKindOf(message)
  switch (found?.kind) {
    case 'missing':
      return `Please enter ${name}.`
    case 'tooLong':
      return `Please shorten ${name} to at most ${found.value} characters.`
    case 'tooShort':
      return `Please enter at least ${found.value} characters for ${name}.`
    case 'atLeast':
      return `Please check ${name}: it must be at least ${found.value}.`
    case 'atMost':
      return `Please check ${name}: it must be at most ${found.value}.`
    case undefined:
    default:
      return `Please check ${name}.`
  }
}

/** `shipping_address.postalCode` is "the postal code". */
function nameOf(path: string): string | undefined {
  const key = path.split('.').findLast((step) => !/^\d+$/.test(step)) ?? ''
  if (key === '' || TECHNICAL.test(key)) return undefined
  const words = key
    .replaceAll('_', ' ')
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .trim()
  return NAMES.get(key) ?? `the ${words}`
}
