import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * @returns the start time of a process, which distinguishes it from a later one with the same id; undefined when there
 * is no such process. A process that ended but was not collected yet (a zombie) counts as ended
 */
export function processIdentity(pid: number): string | undefined {
  if (process.platform !== 'linux') return identityFromPs(pid)
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The command name is in parentheses and may contain anything, so count the fields after the last one.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? undefined : fields[19]
  } catch {
    return undefined
  }
}

export function isAlive(pid: number, identity: string | undefined): boolean {
  const current = processIdentity(pid)
  return current !== undefined && (identity === undefined || current === identity)
}

function identityFromPs(pid: number): string | undefined {
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
    return line === '' || line.startsWith('Z') ? undefined : line.replace(/^\S+\s+/, '')
  } catch {
    return undefined
  }
}
