import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { makeFolder, throwIfForbidden, writeFileAtomically } from '../files.ts'
import { isAlive, processIdentity } from './process-identity.ts'
import { StartError } from '../start-error.ts'

export const ProcessNote = z.object({ pid: z.int().positive(), identity: z.string().optional() })

/** What the next start needs to know about a server of this data folder. */
const RunFile = z.object({
  /** Data stays where it was created, so that a Docker engine that is installed later does not make the shop empty. */
  kind: z.enum(['docker', 'machine']),
  port: z.int().positive(),
  server: ProcessNote.optional(),
  launcher: ProcessNote.optional(),
  /** Of a Docker volume that no server has responded from yet, so that it has no data. */
  isNew: z.literal(true).optional(),
})

export type RunFile = z.output<typeof RunFile>
export type ServerName = 'postgres' | 'redis' | 'nats'

export function readRunFile(dataDir: string, name: ServerName): RunFile | undefined {
  const path = runFilePath(dataDir, name)
  if (!existsSync(path)) return undefined
  try {
    return RunFile.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    throwIfForbidden(path, error)
    throw new StartError(`${path} cannot be read: delete it if no shop runs on this folder, then start again.`)
  }
}

export function writeRunFile(dataDir: string, name: ServerName, content: RunFile): void {
  makeFolder(join(dataDir, 'run'))
  writeFileAtomically(runFilePath(dataDir, name), `${JSON.stringify(content, null, 2)}\n`)
}

export function removeRunFile(dataDir: string, name: ServerName): void {
  rmSync(runFilePath(dataDir, name), { force: true })
}

/** Where the data of a server is; undefined before its first start has ended. */
export function kindOfData(dataDir: string, name: ServerName): RunFile['kind'] | undefined {
  const run = readRunFile(dataDir, name)
  return run?.isNew ? undefined : run?.kind
}

export function describeProcess(pid: number): z.output<typeof ProcessNote> {
  const identity = processIdentity(pid)
  return { pid, ...(identity !== undefined && { identity }) }
}

/** @throws StartError when the server runs and the launcher that started it is alive */
export function rejectWhenInUse(dataDir: string, run: RunFile | undefined): void {
  if (!run?.launcher || !isAlive(run.launcher.pid, run.launcher.identity)) return
  if (run.server && !isAlive(run.server.pid, run.server.identity)) return
  throw inUse(dataDir, run.launcher.pid)
}

export function inUse(dataDir: string, pid: number): StartError {
  return new StartError(
    `Another shop (process ${pid}) is using ${dataDir}: stop it first, or set DATA_DIR to another folder.`,
  )
}

function runFilePath(dataDir: string, name: ServerName): string {
  return join(dataDir, 'run', `${name}.json`)
}
