import { parseJsonBody } from '@storefront/http'
import { HttpError } from '@storefront/service'
import { notJson, type Issue } from '../errors.ts'
import { MAX_LINE_BYTES } from './read-lines.ts'

/** The parts of a split document, in their order. */
export type Part =
  /** A member of the object begins. */
  | { name: string }
  /**
   * The value of a member, an element of a list, or, without a member, the whole of a document that is not an object.
   */
  | { value: unknown; member: string | undefined; index: number | undefined; path: string; characters: number }
  | { issue: Issue }

/**
 * What may follow in each state: a delimiter or a value, which may have to be a name, each with the next state.
 */
const EXPECTED = {
  document: { delimiters: { '{': 'first name' }, value: 'end' },
  'first name': { delimiters: { '}': 'end' }, value: 'colon', isName: true },
  name: { value: 'colon', isName: true },
  colon: { delimiters: { ':': 'value' } },
  value: { value: 'after value' },
  list: { delimiters: { '[': 'first element' }, value: 'after value' },
  'after value': { delimiters: { ',': 'name', '}': 'end' } },
  'first element': { delimiters: { ']': 'after value' }, value: 'after element' },
  element: { value: 'after element' },
  'after element': { delimiters: { ',': 'element', ']': 'after value' } },
  end: {},
} as const
type ParserState = keyof typeof EXPECTED
interface Expected {
  delimiters?: Readonly<Record<string, ParserState>>
  value?: ParserState
  isName?: boolean
}

const [TAB, NEWLINE, CARRIAGE_RETURN, SPACE] = [9, 10, 13, 32]
const [QUOTE, COMMA, BACKSLASH] = [34, 44, 92]
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [123, 125, 91, 93]

/**
 * Splits a JSON object into the values of its members, and lists into their elements. One value is in memory at a time.
 * The parser checks its content, so that the document is JSON if, and only if, it is split to its end and every value
 * is JSON.
 * @param isList which members are split into their elements if they are arrays
 * @throws HttpError `bad_json` when the document is not JSON
 */
export async function* splitJson(
  body: AsyncIterable<Uint8Array>,
  isList: (name: string) => boolean,
): AsyncGenerator<Part> {
  const bytes = new ValueBytes()
  let state: ParserState = 'document'
  let name: string | undefined
  let index = 0
  let isInValue = false

  const finish = (): Part => {
    const isElement = state === 'element' || state === 'first element'
    const { isName = false, value: next = 'end' }: Expected = EXPECTED[state]
    const path = isElement ? `${shownName(name)}.${index}` : shownName(name)
    const read = readValue(bytes, isName ? '' : path)
    isInValue = false
    state = next
    if (isName) {
      // A name that cannot be read is not a known member.
      name = 'value' in read ? String(read.value) : ''
      index = 0
      return 'issue' in read ? read : { name }
    }
    const part = 'issue' in read ? read : { ...read, member: name, index: isElement ? index : undefined, path }
    if (isElement) index++
    return part
  }

  for await (const chunk of body) {
    let at = 0
    while (at < chunk.length) {
      if (!isInValue) {
        at = afterSpace(chunk, at)
        const byte = chunk[at]
        if (byte === undefined) break
        const expected: Expected = EXPECTED[state]
        const next = expected.delimiters?.[String.fromCharCode(byte)]
        if (next !== undefined) {
          state = next === 'value' && isList(name ?? '') ? 'list' : next
          at++
          continue
        }
        if (expected.value === undefined || (expected.isName && byte !== QUOTE)) throw notJson()
        isInValue = true
      }
      const end = bytes.take(chunk, at)
      at = end ?? chunk.length
      if (end !== undefined) yield finish()
    }
  }
  if (state === 'document') {
    yield isInValue ? finish() : { value: undefined, member: undefined, index: undefined, path: '', characters: 0 }
  } else if (state !== 'end') throw notJson()
}

/** The position of the next byte that is not white space. This loop is many times slower within a generator. */
function afterSpace(chunk: Uint8Array, from: number): number {
  for (let at = from; at < chunk.length; at++) {
    const byte = chunk[at]
    if (byte !== SPACE && byte !== NEWLINE && byte !== CARRIAGE_RETURN && byte !== TAB) return at
  }
  return chunk.length
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function readValue(bytes: ValueBytes, path: string): { value: unknown; characters: number } | { issue: Issue } {
  const found = bytes.release()
  if (!found) return { issue: { path, message: `must not exceed ${MAX_LINE_BYTES} bytes` } }
  let text: string
  try {
    text = utf8.decode(found)
  } catch {
    return { issue: { path, message: 'is not UTF-8 text' } }
  }
  // Text that is blank in JavaScript, but not in JSON: the parser would treat it as an empty body.
  if (text.trim() === '') throw notJson()
  try {
    return { value: parseJsonBody(text), characters: text.length }
  } catch (error) {
    if (!(error instanceof HttpError) || error.code === 'bad_json') throw error
    return { issue: { path, message: 'must not contain NUL characters, lone surrogates or more than 100 levels' } }
  }
}

/** An unknown name may be long, and may be cut within a surrogate pair. */
function shownName(name = ''): string {
  return name.slice(0, 40).toWellFormed()
}

const KEPT_BYTES = 64 * 1024

/**
 * The bytes of one value: a slice of a chunk that contains all of them, or else a copy of limited size.
 */
class ValueBytes {
  #depth = 0
  #isInString = false
  #isEscaped = false
  #whole: Uint8Array | undefined
  #kept = new Uint8Array(KEPT_BYTES)
  #length = 0

  /**
   * Takes the bytes that belong to the value. @returns where it ends, undefined when it may continue in the next chunk
   */
  take(chunk: Uint8Array, from: number): number | undefined {
    const end = this.#endIn(chunk, from)
    const part = chunk.subarray(from, end)
    if (end !== undefined && this.#length === 0) this.#whole = part
    else this.#keep(part)
    return end
  }

  /** Resets the buffer. @returns its content, valid until the next is taken; undefined when it was too long */
  release(): Uint8Array | undefined {
    const bytes = this.#whole ?? this.#kept.subarray(0, this.#length)
    const isTooLong = this.#length > MAX_LINE_BYTES || bytes.length > MAX_LINE_BYTES
    this.#whole = undefined
    this.#length = 0
    this.#depth = 0
    this.#isInString = false
    this.#isEscaped = false
    return isTooLong ? undefined : bytes
  }

  #keep(part: Uint8Array): void {
    const length = this.#length + part.length
    // For a value that is too long, only the number of bytes is kept.
    if (length <= MAX_LINE_BYTES) {
      if (length > this.#kept.length) {
        const grown = new Uint8Array(Math.min(MAX_LINE_BYTES, Math.max(length, this.#kept.length * 2)))
        grown.set(this.#kept.subarray(0, this.#length))
        this.#kept = grown
      }
      this.#kept.set(part, this.#length)
    }
    this.#length = length
  }

  /** Brackets of both kinds count as one: whether they match is checked when the value is parsed. */
  #endIn(chunk: Uint8Array, from: number): number | undefined {
    let depth = this.#depth
    let isInString = this.#isInString
    let isEscaped = this.#isEscaped
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0
      if (isInString) {
        if (isEscaped) isEscaped = false
        else if (byte === BACKSLASH) isEscaped = true
        else if (byte === QUOTE) {
          isInString = false
          if (depth === 0) return at + 1
        }
      } else if (byte === QUOTE) isInString = true
      else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++
      else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        if (depth === 0) return at
        if (--depth === 0) return at + 1
      } else if (depth === 0 && (byte === COMMA || byte <= SPACE)) return at
    }
    this.#depth = depth
    this.#isInString = isInString
    this.#isEscaped = isEscaped
    return undefined
  }
}
