import { lstat, readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Programs } from './build-programs.ts'

/** Node has a folder for each version, set of V8's flags and user, such as `v24.1.0-x64-964aae3f-0`. */
const OF_THIS_NODE = `${process.version}-${process.arch}-`

/**
 * Deletes compiled code in a data folder that these programs do not read: that of other versions of Node, and all of it
 * when they have a folder of their own. The caller has locked the data folder, so that no other program reads it.
 */
export async function deleteUnreadCode(
  dataDir: string,
  { compileCache }: Pick<Programs, 'compileCache'>,
): Promise<void> {
  const folder = resolve(dataDir, 'compile-cache')
  const isRead = resolve(compileCache) === folder
  // Others may read what is behind a link.
  if ((await lstat(folder).catch(() => undefined))?.isDirectory() !== true) return
  for (const name of await readdir(folder).catch(() => [])) {
    if (isRead && name.startsWith(OF_THIS_NODE)) continue
    // What cannot be deleted costs only space.
    await rm(join(folder, name), { recursive: true, force: true }).catch(() => {})
  }
}
