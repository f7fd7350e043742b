import { realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from './files.ts'
import { isAlive } from './infrastructure/process-identity.ts'
import { describeProcess, inUse, ProcessNote } from './infrastructure/run-file.ts'
import { withSystemLock } from './infrastructure/system-lock.ts'
import { readJson } from './read-json.ts'
import { StartError } from './start-error.ts'

/** The file is read and written in milliseconds. */
const LONGEST_WAIT_MS = 10_000

/**
 * Locks the data folder for this process. @returns a function that releases it. @throws StartError when another
 * launcher has it
 */
export async function lockDataFolder(dataDir: string): Promise<() => void> {
  const folder = join(dataDir, 'run')
  makeFolder(folder)
  const take = async (): Promise<() => void> => takeFile(dataDir, join(folder, 'launcher.json'))
  // Two launchers that read the file of a killed one at the same moment could both replace it. Only Linux has such a
  // lock.
  if (process.platform !== 'linux') return take()
  return withSystemLock(`data folder ${realpathSync(folder)}`, { longestWaitMs: LONGEST_WAIT_MS }, take)
}

function takeFile(dataDir: string, path: string): () => void {
  const own = describeProcess(process.pid)
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    try {
      writeFileSync(path, `${JSON.stringify(own)}\n`, { flag: 'wx', mode: 0o600 }) // Fails when the file exists.
      return () => {
        const holder = readJson(path, ProcessNote)
        if (holder?.pid === own.pid && holder.identity === own.identity) rmSync(path, { force: true })
      }
    } catch {
      const holder = readJson(path, ProcessNote)
      if (holder && isAlive(holder.pid, holder.identity)) throw inUse(dataDir, holder.pid)
      rmSync(path, { force: true }) // Left by a launcher that was killed.
    }
  }
  throw new StartError(`${dataDir} cannot be written to: set DATA_DIR to a folder you may write to.`)
}
