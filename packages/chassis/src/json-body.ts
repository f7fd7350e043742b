import { Refusal } from './refusal.ts'

/** Escapes that Postgres cannot store as text: NUL, and halves of surrogate pairs (checked in full when present). */
const SUSPICIOUS = /\\u(?:0000|d[89a-f])/i

/**
 * Parses a JSON body. An empty one is `undefined`: the client sends DELETE and bodyless POST without a body, and some
 * clients send the content type all the same.
 * @throws Refusal `bad_json` when it is not JSON, `validation_failed` when it holds text that cannot be stored
 */
export function parseJsonBody(text: string): unknown {
  if (text.trim() === '') return undefined
  let value: unknown
  try {
    // Dropped rather than refused: no schema here has such a key, and none must ever reach an object.
    value = text.includes('__proto__') ? JSON.parse(text, withoutPrototypeKeys) : JSON.parse(text)
  } catch {
    throw new Refusal('bad_json', 'The request could not be read.', { detail: { reason: 'the body is not JSON' } })
  }
  if (text.includes('\0') || (SUSPICIOUS.test(text) && !isStorable(value))) {
    throw new Refusal('validation_failed', 'The request contains characters that cannot be used.', {
      detail: { issues: [{ path: '', message: 'must not contain NUL characters or lone surrogates' }] },
    })
  }
  return value
}

function withoutPrototypeKeys(key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value
}

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, inner]) => isStorable(key) && isStorable(inner))
}
