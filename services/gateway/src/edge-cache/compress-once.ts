import { compress } from '../encoding/compress.ts'
import { represent, type Entry, type Representation } from './entry.ts'

/** Compresses an entry once, on the thread pool; concurrent callers wait for the same result. */
export function compressOnce(entry: Entry, encoding: 'br' | 'gzip', done: () => void): Promise<Representation> {
  const known = entry.compressing[encoding]
  if (known) return known
  const compressing = compress(entry.identity.body, encoding).then(
    (body) => {
      const representation = represent(encoding, body, entry.etag, entry.headers)
      entry.compressed[encoding] = representation
      done()
      return representation
    },
    () => (entry.compressed[encoding] = entry.identity),
  )
  entry.compressing[encoding] = compressing
  return compressing
}
