import type { Encoding } from './accepted-encoding.ts'
import { compress } from './compress.ts'

/** Compresses a content when it is requested for the first time, once for each encoding. */
export function compressedContent(content: Buffer): (encoding: Encoding) => Promise<Buffer> {
  const made = new Map<Encoding, Promise<Buffer>>()
  return (encoding) => {
    const known =
      made.get(encoding) ?? (encoding === 'identity' ? Promise.resolve(content) : compress(content, encoding))
    made.set(encoding, known)
    return known
  }
}
