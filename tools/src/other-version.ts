import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const repository = resolve(import.meta.dirname, '../..')

/**
 * Checks a version of this repository out into a temporary folder and installs its packages.
 * @param ref a commit, branch or tag
 * @returns its short commit, and the folder of its sources with their packages
 * @throws Error when this folder is not a Git repository, or the repository has no such version
 */
export async function checkOutVersion(ref: string) {
  const git = async (...args: string[]) => (await run('git', args, { cwd: repository })).stdout.trim()
  const name = await git('rev-parse', '--short', '--verify', '--end-of-options', `${ref}^{commit}`).catch(() => {
    throw new Error(`there is no version "${ref}" here: it must be a commit, a branch or a tag of this repository`)
  })
  const parent = await mkdtemp(join(tmpdir(), 'storefront-version-'))
  const folder = join(parent, name)
  const remove = async () => {
    await git('worktree', 'remove', '--force', folder).catch(() => {})
    await rm(parent, { recursive: true, force: true })
  }
  try {
    await git('worktree', 'add', '--detach', folder, name)
    await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, maxBuffer: 64 * 1024 * 1024 })
    return { name, folder, remove }
  } catch (error) {
    await remove()
    throw error
  }
}
