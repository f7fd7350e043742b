import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { messageOf, StartError } from './start-error.ts'

/**
 * Creates a folder for its owner alone. As root others may pass through it, without listing it: PostgreSQL, which refuses
 * to run as root, keeps its files in a folder of its own inside.
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return
  try {
    makeFolder(dirname(path))
    mkdirSync(path, { mode: 0o700 }) // Not `recursive`: that never returns for a folder below /proc.
    if (process.getuid?.() === 0) chmodSync(path, 0o711)
  } catch (error) {
    if (error instanceof StartError) throw error
    if (existsSync(path)) return // Another start was quicker.
    throw new StartError(`${path} cannot be created (${messageOf(error)}): set DATA_DIR to a folder you may write to.`)
  }
}

/** Writes for the owner's eyes; a crash leaves the old content or the new, never half of it. */
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
 * For a file that could not be read: whoever may not is not to delete or restore it.
 * @throws StartError when that is what the error says
 */
export function throwIfForbidden(path: string, error: unknown): void {
  if (error instanceof Error && 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM')) {
    throw new StartError(`${path} may not be read: run this as the user who runs the shop.`)
  }
}
