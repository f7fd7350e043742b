import { HttpError } from '@storefront/service'

/** Escapes that Postgres cannot store as text: NUL, and halves of surrogate pairs (checked in full when present). */
const SUSPICIOUS = /\\u(?:0000|d[89a-f])/i

/** An escaped letter of `__proto__`, which hides the key from a search in the text; serializers escape none of them. */
const ESCAPED_NAME = /\\u00(?:5f|6f|7[024])/i

/** Deeper than any real document, and far from the depth at which recursion in a parser or a serializer fails. */
const MAX_DEPTH = 100

const [QUOTE, BACKSLASH, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [34, 92, 123, 125, 91, 93]

/**
 * Parses a JSON body. An empty one is `undefined`: the client sends DELETE and POST without a body, and some clients
 * still send the content type.
 * @throws HttpError `bad_json` when it is not JSON, `validation_failed` when it holds text that cannot be stored
 */
export function parseJsonBody(text: string): unknown {
  if (text.trim() === '') return undefined
  if (isTooDeep(text)) {
    throw new HttpError('validation_failed', 'The request could not be read.', {
      detail: { issues: [{ path: '', message: `must not be nested deeper than ${MAX_DEPTH} levels` }] },
    })
  }
  let value: unknown
  try {
    // Dropped rather than rejected: no schema here has this key, and it must never reach an object.
    const mayHaveKey = text.includes('__proto__') || ESCAPED_NAME.test(text)
    value = mayHaveKey ? JSON.parse(text, withoutPrototypeKeys) : JSON.parse(text)
  } catch {
    throw new HttpError('bad_json', 'The request could not be read.', { detail: { reason: 'the body is not JSON' } })
  }
  if (text.includes('\0') || (SUSPICIOUS.test(text) && !isStorable(value))) {
    throw new HttpError('validation_failed', 'The request contains characters that are not allowed.', {
      detail: { issues: [{ path: '', message: 'must not contain NUL characters or lone surrogates' }] },
    })
  }
  return value
}

function withoutPrototypeKeys(key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value
}

/** Walks without recursion: deep nesting must not exhaust the stack. */
function isStorable(root: unknown): boolean {
  const left: unknown[] = [root]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value === 'string') {
      if (value.includes('\0') || !value.isWellFormed()) return false
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) left.push(key, inner)
    }
  }
  return true
}

/** How deeply the brackets of a text are nested; those within strings do not count. */
function isTooDeep(text: string): boolean {
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === BACKSLASH) index++
      else if (code === QUOTE) inString = false
    } else if (code === QUOTE) inString = true
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (++depth > MAX_DEPTH) return true
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--
  }
  return false
}
