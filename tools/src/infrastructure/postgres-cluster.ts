import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeFolder } from '../files.ts'
import { hasSecret, readSecret, secretsPath } from '../secrets.ts'
import { messageOf, StartError } from '../start-error.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'
import { sharedFolder, type PostgresOwner } from './postgres-owner.ts'
import { readRunFile } from './run-file.ts'

const run = promisify(execFile)

export const passwordName = 'postgresPassword'

/** @returns the folder of the cluster: in the data folder, unless PostgreSQL's user cannot reach it there */
export function clusterHome(dataDir: string, owner: PostgresOwner | undefined): string {
  const inside = join(dataDir, 'postgres')
  if (owner === undefined) return inside
  makeFolder(dataDir)
  const elsewhere = join(clusterElsewhere(dataDir), 'postgres')
  if (existsSync(join(elsewhere, 'data', 'PG_VERSION'))) return elsewhere
  return owner.canReach(inside) || openForTraversal(dataDir, inside, owner) ? inside : elsewhere
}

/** Lets other users traverse (not list) the data folder, if that is enough. The folders above it are not changed. */
function openForTraversal(dataDir: string, inside: string, owner: PostgresOwner): boolean {
  const { mode } = statSync(dataDir)
  chmodSync(dataDir, mode | 0o011)
  if (owner.canReach(inside)) return true
  chmodSync(dataDir, mode)
  return false
}

export function clusterElsewhere(dataDir: string): string {
  return join(sharedFolder, createHash('sha256').update(dataDir).digest('hex').slice(0, 16))
}

/**
 * Renames the cluster of a shop whose data folder was deleted, or is on a disk that is not mounted, so that a start
 * neither deletes its data nor needs its password.
 * @returns where it is now, or undefined when there is none
 */
export function keepFormerCluster(home: string, dataDir: string): string | undefined {
  if (!home.startsWith(sharedFolder) || !existsSync(join(home, 'data', 'PG_VERSION'))) return undefined
  // A folder with a run file of the server has lost only the password, which can be restored.
  if (hasSecret(dataDir, passwordName) || readRunFile(dataDir, 'postgres') !== undefined) return undefined
  const kept = `${clusterElsewhere(dataDir)}-until-${new Date().toISOString().replaceAll(/\W/g, '')}`
  renameSync(clusterElsewhere(dataDir), kept)
  return kept
}

/** Creates the cluster unless it exists. A crash in between leaves no incomplete cluster. @returns its folder */
export async function ensureCluster(
  home: string,
  { binaries, owner, dataDir }: { binaries: PostgresBinaries; owner: PostgresOwner | undefined; dataDir: string },
): Promise<string> {
  const cluster = join(home, 'data')
  if (existsSync(join(cluster, 'PG_VERSION'))) {
    if (!hasSecret(dataDir, passwordName)) throw wrongPassword(dataDir)
    rejectOtherVersion(cluster, binaries)
    return cluster
  }
  const password = readSecret(dataDir, passwordName)
  if (owner && home.startsWith(sharedFolder)) mkdirSync(home, { recursive: true, mode: 0o755 })
  else makeFolder(home)
  const temporary = join(home, `new-${randomBytes(6).toString('hex')}`)
  const passwordFile = `${temporary}.password`
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (owner) for (const path of [home, passwordFile]) chownSync(path, owner.uid, owner.gid)
  try {
    await run(
      join(binaries.folder, 'bin', 'initdb'),
      [...initArguments, `--pwfile=${passwordFile}`, `--pgdata=${temporary}`],
      {
        cwd: '/',
        env: postgresEnvironment(binaries),
        ...(owner && { uid: owner.uid, gid: owner.gid }),
      },
    )
    renameSync(temporary, cluster)
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true })
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EACCES')) {
      throw new StartError(
        `PostgreSQL does not run on this system (${error.message}): set DATABASE_URL, or start a Docker engine.`,
      )
    }
    throw new StartError(
      `PostgreSQL could not create its data in ${home} (${firstFault(error)}): set DATA_DIR elsewhere.`,
    )
  } finally {
    rmSync(passwordFile, { force: true })
  }
  return cluster
}

/** The data stays: secrets.json may be in a backup, or on a disk that is not mounted. */
export function wrongPassword(dataDir: string): StartError {
  return new StartError(
    `${secretsPath(dataDir)} does not have the password that PostgreSQL was set up with: restore that file, or start again with npm start -- --reset, which deletes the data of the shop.`,
  )
}

// The built-in locale sorts and changes case in the same way on every system and in every image, so indexes stay valid.
export const initArguments = [
  '--username=postgres',
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--no-sync',
]

export function postgresEnvironment(binaries: PostgresBinaries): Record<string, string> {
  return { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin', LD_LIBRARY_PATH: join(binaries.folder, 'lib') }
}

/** The process that PostgreSQL's own lock file names, if it still is a PostgreSQL. */
export function leftoverPostmaster(cluster: string): number | undefined {
  const lock = join(cluster, 'postmaster.pid')
  if (!existsSync(lock)) return undefined
  const pid = Number(readFileSync(lock, 'utf8').split('\n')[0])
  if (!Number.isSafeInteger(pid) || pid <= 1) return undefined
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(cluster) ? pid : undefined
  } catch {
    return undefined // Not Linux, or gone. PostgreSQL itself rejects a folder that another server still uses.
  }
}

function rejectOtherVersion(cluster: string, binaries: PostgresBinaries): void {
  const had = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
  if (binaries.version.startsWith(`${had}.`)) return
  throw new StartError(
    `${cluster} was created by PostgreSQL ${had}, and this is ${binaries.version.replace(/-.*/, '')}: move the data with pg_dump, or start again with npm start -- --reset, which deletes the data of the shop.`,
  )
}

function firstFault(error: unknown): string {
  const message = messageOf(error)
  const lines = message.split('\n').filter((line) => /error|fatal|could not|No space/i.test(line))
  return (lines.at(-1) ?? message.split('\n')[0] ?? message).trim()
}
