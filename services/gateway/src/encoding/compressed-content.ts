import type { Encoding } from './accepted-encoding.ts'
import { compress } from './compress.ts'

/** What is compressed once and sent often may take twice the time to be a hundredth smaller. */
const BROTLI_QUALITY = 7

/** Compresses a content when it is requested for the first time, once for each encoding. */
export function compressedContent(content: Buffer): (encoding: Encoding) => Promise<Buffer> {
  const made = new Map<Encoding, Promise<Buffer>>()
  return (encoding) => {
    const known =
      made.get(encoding) ??
      (encoding === 'identity' ? Promise.resolve(content) : compress(content, encoding, BROTLI_QUALITY))
    made.set(encoding, known)
    return known
  }
}
