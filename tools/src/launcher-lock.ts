import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { makeFolder } from './files.ts'
import { isAlive, processIdentity } from './infrastructure/process-identity.ts'
import { StartError } from './start-error.ts'

const Holder = z.object({ pid: z.int().positive(), identity: z.string().optional() })

/**
 * Locks the data folder for this process. @returns a function that releases it. @throws StartError when another
 * launcher has it
 */
export function lockDataFolder(dataDir: string): () => void {
  const path = join(dataDir, 'run', 'launcher.json')
  makeFolder(join(dataDir, 'run'))
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    try {
      const holder = { pid: process.pid, identity: processIdentity(process.pid) }
      writeFileSync(path, `${JSON.stringify(holder)}\n`, { flag: 'wx', mode: 0o600 }) // Fails when the file exists.
      return () => rmSync(path, { force: true })
    } catch {
      const holder = readHolder(path)
      if (holder && isAlive(holder.pid, holder.identity)) {
        throw new StartError(
          `Another shop (process ${holder.pid}) is using ${dataDir}: stop it first, or set DATA_DIR to another folder.`,
        )
      }
      rmSync(path, { force: true }) // Left by a launcher that was killed.
    }
  }
  throw new StartError(`${dataDir} cannot be written to: set DATA_DIR to a folder you may write to.`)
}

function readHolder(path: string): z.output<typeof Holder> | undefined {
  if (!existsSync(path)) return undefined
  try {
    return Holder.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return undefined
  }
}
