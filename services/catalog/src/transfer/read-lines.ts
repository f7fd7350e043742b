import type { Issue } from '../errors.ts'

/**
 * Maximum bytes of one row: a line, or a value in a document. The row of a collection contains the slugs of up to
 * 100,000 products; all other rows are far smaller.
 */
export const MAX_LINE_BYTES = 8 * 1024 * 1024

const NEWLINE = 10
const CARRIAGE_RETURN = 13
const GZIP = [0x1f, 0x8b]

export type Line = { number: number; text: string } | { issue: Issue }

/**
 * Splits a stream of bytes into lines of text, without empty ones. Keeps at most one line in memory.
 */
export async function* readLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let number = 1
  let kept: Uint8Array[] = []
  let keptBytes = 0
  let isFirst = true

  const finish = (last: Uint8Array): Line | undefined => {
    const lineNumber = number++
    const bytes = keptBytes === 0 ? last : Buffer.concat([...kept, last])
    const isTooLong = keptBytes + last.length > MAX_LINE_BYTES
    kept = []
    keptBytes = 0
    if (isTooLong) return { issue: { path: `line ${lineNumber}`, message: `must not exceed ${MAX_LINE_BYTES} bytes` } }
    const end = bytes.at(-1) === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length
    try {
      const text = decoder.decode(bytes.subarray(0, end))
      return text.trim() === '' ? undefined : { number: lineNumber, text }
    } catch {
      return { issue: { path: `line ${lineNumber}`, message: 'is not UTF-8 text' } }
    }
  }

  for await (const chunk of body) {
    if (isFirst && chunk[0] === GZIP[0] && chunk[1] === GZIP[1]) {
      yield { issue: { path: 'line 1', message: 'is compressed; decompress the file first' } }
      return
    }
    isFirst = false
    let start = 0
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, start)) {
      const line = finish(chunk.subarray(start, at))
      if (line) yield line
      start = at + 1
    }
    const rest = chunk.subarray(start)
    // For a line that is too long, only the number of bytes is kept.
    if (keptBytes + rest.length <= MAX_LINE_BYTES) kept.push(rest)
    else kept = []
    keptBytes += rest.length
  }
  const line = finish(new Uint8Array())
  if (line) yield line
}
