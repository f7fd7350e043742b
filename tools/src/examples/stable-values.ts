import type { Recording } from './recorder.ts'

interface RecordingContext {
  /** When the recording began, in milliseconds since 1970. */
  startedAtMs: number
  /** Addresses of this run, and their replacements in the examples. */
  addresses: ReadonlyMap<string, string>
}

/** Two elements show the shape of a list. More would only make the page longer. */
const MAX_ELEMENTS = 2
const MAX_TEXT = 2000
const MAX_CHARACTERS_OF_CONTENT = 600
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The latest time of the demo data is six hours before midnight, and steps name times up to an hour ago. */
const BEFORE_MS = 2 * HOUR_MS

const EXAMPLE_YEAR = 2026
const BEFORE = '2026-02-14T09:30:00.000Z'
const NOW = '2026-03-01T09:30:00.000Z'
const LATER = '2026-03-31T09:30:00.000Z'

/** Fixed values, by the names of their fields, for values that differ between runs. */
const BY_NAME: Record<string, string | number | boolean> = {
  cursor: 'a-cursor-of-the-page-before',
  cutoff: '14:00 today',
  durationMs: 240,
  etag: '"rwXEZLNi95Ojo69KXAZL7SmwcBs"',
  hint: 'sk_anEx',
  ip: '203.0.113.7',
  kid: 'signing-key-1',
  ms: 120,
  nextCursor: 'a-cursor-for-the-next-page',
  rowsPerSecond: 250,
  shipsToday: true,
  userAgent: 'Mozilla/5.0',
}

/** Fields with a day that is counted from the day of the recording; other days are those of holidays. */
const COUNTED_DAYS = new Set(['date', 'from', 'to'])
const DAY = /^\d{4}-\d{2}-\d{2}$/

/** Fields with a number from a sequence of the database, which leaves gaps. Lists begin with the largest. */
const SEQUENCES = new Set(['id', 'nextBeforeId'])
const LARGEST_NUMBER = 42
const ACTIVITY_ID = /^(catalog|cart|identity|notifier|orders)-(\d+)$/

/**
 * Makes a recording the same in every run: numbers ids consecutively, replaces times, addresses and secrets, and
 * cuts long lists and texts.
 */
export function stable(recording: Recording, context: RecordingContext): Recording {
  const ids = new Map<string, string>()
  const numbers = new Map<number, number>()
  const number = (value: number) => countedDown(value, numbers)
  const { path, query, headers, bodies, replies, ...rest } = recording
  const text = (value: string, name: string) => {
    if (COUNTED_DAYS.has(name) && DAY.test(value)) return countedDay(value, context)
    const [, service, digits] = ACTIVITY_ID.exec(value) ?? []
    return digits === undefined ? stableText(value, ids, context) : `${service}-${number(Number(digits))}`
  }
  const value = (inner: unknown) => stableValue(inner, '', { text, number })
  const texts = (named: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(named).map(([name, given]) => [name, String(stableValue(given, name, { text, number }))]),
    )
  return {
    ...rest,
    path: texts(path),
    query: texts(query),
    headers: texts(headers),
    bodies: Object.fromEntries(Object.entries(bodies).map(([type, body]) => [type, content(body, value)])),
    replies: Object.fromEntries(
      Object.entries(replies).map(([status, byType]) => [
        status,
        Object.fromEntries(Object.entries(byType).map(([type, body]) => [type, content(body, value)])),
      ]),
    ),
  }
}

/** A body that is not JSON is shown by its beginning. */
function content(body: unknown, value: (inner: unknown) => unknown): unknown {
  const made = value(body)
  return typeof made === 'string' ? cut(made, MAX_CHARACTERS_OF_CONTENT) : made
}

interface Shown {
  /** How a text is shown that is in a field of this name. */
  text: (value: string, name: string) => string
  /** How a number of a sequence is shown. */
  number: (value: number) => number
}

/** @param name of the field with the value; empty for a whole body */
function stableValue(value: unknown, name: string, shown: Shown): unknown {
  if (Array.isArray(value)) return value.slice(0, MAX_ELEMENTS).map((inner) => stableValue(inner, name, shown))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, stableValue(inner, key, shown)]))
  }
  const known = BY_NAME[name]
  if (known !== undefined && typeof known === typeof value) return known
  if (typeof value === 'number' && SEQUENCES.has(name)) return shown.number(value)
  return typeof value === 'string' ? cut(shown.text(value, name), MAX_TEXT) : value
}

const JWT = /\beyJ[\w-]+\.[\w-]+\.[\w-]+/g
const KEY = /\b(sk|pk|whsec)_[\w+/=-]{16,}/g
const ID = /\b([a-z]+(?:_[a-z]+)*)_[0-9a-f]{14,36}\b/g
const TIME = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})/g
const DATE = /\b(\d{4})-(\d{2}-\d{2})\b/g
const TOTP_CODE = /^\d{6}$/
const TOTP_SECRET = /\b[A-Z2-7]{32}\b/g
const RECOVERY_CODE = /\b[0-9A-Z]{5}(?:-[0-9A-Z]{5}){4}\b/g
/** May be random, see `isRandom`. */
const LONG = /(?<![\w-])[\w-]{20,}(?![\w-])/g
const HEXADECIMAL = /^(?=.*[a-f])(?=.*\d)[0-9a-f]+$/
const LEAST_OF_BASE64 = 27

function stableText(given: string, ids: Map<string, string>, { startedAtMs, addresses }: RecordingContext): string {
  let text = given
  for (const [address, shown] of addresses) text = text.replaceAll(address, shown)
  return text
    .replace(JWT, 'eyJhbGciOiJFZERTQSJ9.an-example.of-a-token')
    .replace(KEY, (_key, kind: string) => `${kind}_anExampleOfAKey`)
    .replace(TOTP_CODE, '123456')
    .replace(TOTP_SECRET, 'JBSWY3DPEHPK3PXP')
    .replace(RECOVERY_CODE, 'AAAAA-BBBBB-CCCCC-DDDDD-EEEEE')
    .replace(ID, (id, prefix: string) => countedId(id, prefix, ids))
    .replace(LONG, (word) => (isRandom(word) ? 'an-example-of-a-secret' : word))
    .replace(TIME, (time) => stableTime(Date.parse(time), startedAtMs))
    .replace(DATE, (_date, year: string, day: string) => `${stableYear(Number(year), startedAtMs)}-${day}`)
}

/**
 * Whether a word consists of hexadecimal digits, or of letters of both cases and digits. One random word in a hundred
 * has no digit, but then it has capitals side by side, which no word of the API has.
 */
function isRandom(word: string): boolean {
  if (HEXADECIMAL.test(word)) return true
  const hasBothCases = /[A-Z]/.test(word) && /[a-z]/.test(word)
  return word.length >= LEAST_OF_BASE64 && hasBothCases && (/\d/.test(word) || /[A-Z]{2}/.test(word))
}

function countedDown(value: number, numbers: Map<number, number>): number {
  const known = numbers.get(value)
  if (known !== undefined) return known
  const made = LARGEST_NUMBER - numbers.size
  numbers.set(value, made)
  return made
}

function countedId(id: string, prefix: string, ids: Map<string, string>): string {
  const known = ids.get(id)
  if (known !== undefined) return known
  const number = [...ids.values()].filter((other) => other.startsWith(`${prefix}_`)).length + 1
  const made = `${prefix}_${String(number).padStart(id.length - prefix.length - 1, '0')}`
  ids.set(id, made)
  return made
}

function stableTime(timeMs: number, startedAtMs: number): string {
  if (timeMs < startedAtMs - BEFORE_MS) return BEFORE
  return timeMs < startedAtMs + HOUR_MS ? NOW : LATER
}

/** A day as far from the time of the examples as it is from the recording. */
function countedDay(day: string, { startedAtMs }: RecordingContext): string {
  const today = Math.floor(startedAtMs / DAY_MS) * DAY_MS
  return new Date(Math.floor(Date.parse(NOW) / DAY_MS) * DAY_MS + Date.parse(day) - today).toISOString().slice(0, 10)
}

/** Moves dates, which are those of holidays of this year and the next, to the year of the examples. */
function stableYear(year: number, startedAtMs: number): number {
  return year - new Date(startedAtMs).getUTCFullYear() + EXAMPLE_YEAR
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text
}
