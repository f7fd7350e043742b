import { readdirSync, readFileSync } from 'node:fs'
import { leftoverPostmaster } from '../infrastructure/postgres-cluster.ts'

/**
 * @param cluster the absolute path of the data folder
 * @returns the process ids of the PostgreSQL that runs on it, its first process first; none when it has ended, although
 * another process may have got the id that its lock file names
 */
export function postgresProcesses(cluster: string): number[] {
  const first = leftoverPostmaster(cluster)
  return first === undefined ? [] : [first, ...childrenOf(first)]
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => parentOf(pid) === parent)
    .map(Number)
}

function parentOf(pid: string): number | undefined {
  try {
    return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    return undefined // It has ended.
  }
}
