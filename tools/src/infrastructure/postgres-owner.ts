import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { messageOf, StartError } from '../start-error.ts'

/** PostgreSQL does not run as root, so as root the launcher creates a system user for it. */
export interface PostgresOwner {
  uid: number
  gid: number
  /** Whether that user can reach the path through every folder above it. */
  canReach(path: string): boolean
}

/** For files that must be readable by PostgreSQL's user, and so cannot be below /root, for example. */
export const sharedFolder = '/var/lib/storefront'

const userName = 'storefront-postgres'

/** @returns undefined when this process is not root, because PostgreSQL then runs as the same user */
export function findPostgresOwner(print: (line: string) => void): PostgresOwner | undefined {
  if (process.getuid?.() !== 0) return undefined
  const ids = userIds() ?? createUser(print)
  return {
    ...ids,
    canReach(path) {
      const existing = nearestExisting(path)
      const test = existing === path ? '[ -r "$0" ] && [ -x "$0" ]' : '[ -x "$0" ]'
      return spawnSync('/bin/sh', ['-c', test, existing], { ...ids, cwd: '/' }).status === 0
    },
  }
}

function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path))
}

function userIds(): { uid: number; gid: number } | undefined {
  const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, userName], { encoding: 'utf8' }).stdout)
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined
}

function createUser(print: (line: string) => void): { uid: number; gid: number } {
  let fault = ''
  print(`PostgreSQL does not run as root: creating the system user ${userName} for it.`)
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    try {
      execFileSync(
        'useradd',
        [
          '--system',
          '--user-group',
          '--no-create-home',
          '--home-dir',
          '/nonexistent',
          '--shell',
          '/usr/sbin/nologin',
          userName,
        ],
        { stdio: 'pipe' },
      )
    } catch (error) {
      fault = messageOf(error)
    }
    // Another process may have created it at the same moment, or may hold the lock of /etc/passwd.
    const ids = userIds()
    if (ids) return ids
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
  }
  throw new StartError(
    `The system user ${userName} could not be created (${fault.trim()}): start as an ordinary user, or set DATABASE_URL.`,
  )
}
