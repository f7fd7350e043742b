import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { messageOf, StartError } from './start-error.ts'

/**
 * Creates a folder that only its owner may read. When run as root, others may traverse it without listing it:
 * PostgreSQL, which does not run as root, keeps its files in a folder of its own inside.
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return
  try {
    makeFolder(dirname(path))
    mkdirSync(path, { mode: 0o700 }) // Not `recursive`: that never returns for a folder below /proc.
    if (process.getuid?.() === 0) chmodSync(path, 0o711)
  } catch (error) {
    if (error instanceof StartError) throw error
    if (existsSync(path)) return // Another process has created it meanwhile.
    throw new StartError(`${path} cannot be created (${messageOf(error)}): set DATA_DIR to a folder you may write to.`)
  }
}

/**
 * Starts a process whose files only their owner may read.
 * @param start must return as soon as the process exists, because the umask of this process is changed until then
 */
export function withPrivateFiles<Result>(start: () => Result): Result {
  const before = process.umask(0o077)
  try {
    return start()
  } finally {
    process.umask(before)
  }
}

/** Files and folders that a shop creates in its data folder. Others there are not touched. */
export const OWN_ENTRIES = [
  'backups',
  'compile-cache',
  'logs',
  'mail',
  'media',
  'nats',
  'packages',
  'postgres',
  'processes.json',
  'programs',
  'redis',
  'run',
  'secrets.json',
]

/** The data folders of shops on three machines, in the same place. Each has a lock of its own. */
export const CLUSTER_FOLDERS = ['high-availability', 'high-availability-from', 'high-availability-unsafe']

/**
 * Removes the permissions of other users from the data folder and the shop's files in it: earlier versions, copies and
 * restored backups may have set some. As root, others may still traverse folders, see `makeFolder`.
 * @throws StartError when another user owns it, or a permission in it cannot be changed
 */
export function makeFolderPrivate(dataDir: string): void {
  try {
    // A folder that all users share, such as /tmp, is not changed.
    if ((lstatSync(dataDir).mode & 0o1000) === 0) makePrivate(dataDir)
    for (const name of OWN_ENTRIES) makeTreePrivate(join(dataDir, name))
  } catch (error) {
    throw new StartError(
      `The permissions in ${dataDir} cannot be changed (${messageOf(error)}): run this as the user who owns it, or set DATA_DIR elsewhere.`,
    )
  }
}

/**
 * Removes the permissions of other users from a file, or a folder and everything below it. Skips files that have
 * disappeared.
 */
export function makeTreePrivate(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  // PostgreSQL, which does not run as root, owns its files, and sets their permissions itself.
  if (!stats || stats.isSymbolicLink() || (process.getuid?.() === 0 && stats.uid !== 0)) return
  try {
    makePrivate(path)
    if (stats.isDirectory()) for (const name of readdirSync(path)) makeTreePrivate(join(path, name))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
}

function makePrivate(path: string): void {
  const stats = lstatSync(path)
  const others = stats.isDirectory() && process.getuid?.() === 0 ? 0o066 : 0o077
  if ((stats.mode & others) !== 0) chmodSync(path, stats.mode & 0o7777 & ~others)
}

/** Writes a file that only its owner may read. A crash leaves either the old content or the new. */
export function writeFileAtomically(path: string, content: string): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`
  try {
    writeFileSync(temporary, content, { mode: 0o600, flush: true })
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw new StartError(`${path} cannot be written (${messageOf(error)}): free some space, or set DATA_DIR elsewhere.`)
  }
}

/**
 * Called when a file could not be read, because advice to delete or restore it would be wrong for a user without
 * permission.
 * @throws StartError when the error is a missing permission
 */
export function throwIfForbidden(path: string, error: unknown): void {
  if (error instanceof Error && 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM')) {
    throw new StartError(`${path} may not be read: run this as the user who runs the shop.`)
  }
}
