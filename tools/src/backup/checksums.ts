import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { MANIFEST_FILE } from './manifest.ts'

/** SHA-256 of every file of a backup except its manifest, by path below the folder. */
export async function checksumsOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
  const checksums: Record<string, string> = {}
  for (const path of paths.filter((one) => one !== MANIFEST_FILE).toSorted()) {
    const hash = createHash('sha256')
    await pipeline(createReadStream(join(folder, path)), hash)
    checksums[path] = hash.digest('hex')
  }
  return checksums
}
