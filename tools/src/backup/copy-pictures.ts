import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Copies the pictures of a running shop: not those that it deletes meanwhile, and no temporary files (`.name`). */
export async function copyPictures(from: string, to: string): Promise<void> {
  const entries = await readdir(from, { withFileTypes: true }).catch(ignoreMissing)
  if (entries === undefined) return
  await mkdir(to)
  for (const entry of entries.filter(({ name }) => !name.startsWith('.'))) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await copyPictures(source, target)
    else if (entry.isFile()) await copyFile(source, target).catch(ignoreMissing)
  }
}

function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
}
