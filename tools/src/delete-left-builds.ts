import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from './infrastructure/process-identity.ts'

/** Deletes the unfinished builds of processes that were killed. @param folder that of an application */
export function deleteLeftBuilds(folder: string): void {
  for (const name of readdirSync(folder)) {
    const [, pid] = /^dist-(\d+)(?:-before)?$/.exec(name) ?? []
    if (pid === undefined || isAlive(Number(pid), undefined)) continue
    try {
      rmSync(join(folder, name), { recursive: true, force: true })
    } catch {
      // It belongs to another user, or another process is deleting it: no build needs the space of it.
    }
  }
}
