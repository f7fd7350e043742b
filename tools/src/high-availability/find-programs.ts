import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Archive, FetchOptions } from '../infrastructure/apt.ts'
import { fetchDebianPackage } from '../infrastructure/debian-package.ts'
import { findDebianPostgres, type PostgresPrograms } from '../infrastructure/debian-postgres.ts'
import { installedPrograms } from '../infrastructure/installed-programs.ts'
import { tryProgram, type Version } from '../infrastructure/program-trial.ts'
import { findProgram, type Program, type WantedProgram } from '../infrastructure/program.ts'
import { messageOf, StartError } from '../start-error.ts'
import { findNewerPostgres } from './find-newer-postgres.ts'

/** A program, and what it needs in its environment. */
export interface EngineProgram {
  file: string
  args: string[]
  env: Record<string, string>
}

export interface EnginePrograms {
  etcd: EngineProgram
  patroni: EngineProgram
  postgres: PostgresPrograms
  /** For an upgrade, if one was requested and found. */
  newerPostgres: PostgresPrograms | undefined
  haproxy: EngineProgram
  nats: EngineProgram
  /** For an upgrade, if one was requested and found. */
  newerNats: EngineProgram | undefined
  redis: EngineProgram
}

/**
 * After a machine was cut off, servers of 2.9.10 (Debian 12) did not replicate to its NATS again (docs/decisions/0105).
 * The program needs only an old version of the C library, so the one of Debian 13 runs on older systems, too.
 */
const CLUSTER_NATS: WantedProgram = {
  title: 'NATS',
  name: 'nats-server',
  least: [2, 10],
  newerArchive: {
    title: "Debian 13's package archive",
    suffix: 'debian-13',
    source: 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian trixie main',
  },
}

/** Its NATS runs on Debian 12, too. */
const NEXT_DEBIAN: Archive = {
  title: "the package archive of Debian's next version",
  suffix: 'debian-14',
  source: 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian forky main',
}

type FindOptions = FetchOptions & { dataDir: string }

/**
 * Finds the engines, installed or unpacked from Debian's packages.
 * @param options.findNewer whether a newer version is looked for, too, where there may be one
 * @throws StartError with what to install
 */
export async function findEnginePrograms(
  options: FindOptions & { findNewer: boolean | undefined },
): Promise<EnginePrograms> {
  // One after the other: apt reads its lists once for all.
  const postgres = await findDebianPostgres(options)
  if ('fault' in postgres) throw missing('PostgreSQL', 'postgresql', postgres.fault)
  const etcd = { title: 'etcd', name: 'etcd-server', program: 'etcd' } as const
  const haproxy = { title: 'HAProxy', name: 'haproxy', program: 'haproxy' } as const
  const nats = engineProgram(await findProgram(CLUSTER_NATS, options))
  return {
    postgres,
    newerPostgres: options.findNewer === true ? await findNewerPostgres(postgres, options) : undefined,
    etcd: await findOrFetch(etcd, options),
    haproxy: await findOrFetch(haproxy, options),
    patroni: await findPatroni(options),
    nats,
    newerNats: options.findNewer === true ? await findNewerNats(nats, options) : undefined,
    redis: engineProgram(await findProgram({ title: 'Redis', name: 'redis-server', least: [7, 0] }, options)),
  }
}

/** @param nats the one to upgrade from. @returns undefined when no newer one is found; prints which one, or why */
export async function findNewerNats(
  { file }: Pick<EngineProgram, 'file'>,
  options: FindOptions,
): Promise<EngineProgram | undefined> {
  const versionOf = async (program: string): Promise<Version> =>
    (await tryProgram(program, { libraryPath: '' })).version ?? CLUSTER_NATS.least
  try {
    const [major, minor] = await versionOf(file)
    const wanted: WantedProgram = { ...CLUSTER_NATS, least: [major, minor + 1], newerArchive: NEXT_DEBIAN }
    const newer = await findProgram(wanted, options)
    options.print(`NATS is upgraded from ${major}.${minor} to ${(await versionOf(newer.file)).join('.')} and back.`)
    return engineProgram(newer)
  } catch (error) {
    options.signal?.throwIfAborted()
    options.print(`The upgrade of NATS restarts the same version, because no newer one was found: ${messageOf(error)}`)
    return undefined
  }
}

async function findOrFetch(
  { title, name, program }: { title: string; name: 'etcd-server' | 'haproxy'; program: string },
  options: FetchOptions,
): Promise<EngineProgram> {
  const [installed] = installedPrograms(program, options.env)
  if (installed !== undefined) return engineProgram({ file: installed, libraryPath: '' })
  const fetched = await fetchDebianPackage(name, options)
  if ('fault' in fetched) throw missing(title, name, fetched.fault)
  return engineProgram(fetched)
}

/**
 * Patroni is a program of Python: an unpacked one runs with the interpreter and the modules that were unpacked with it.
 */
async function findPatroni(options: FetchOptions): Promise<EngineProgram> {
  const [installed] = installedPrograms('patroni', options.env)
  if (installed !== undefined) return engineProgram({ file: installed, libraryPath: '' })
  const python = await fetchDebianPackage('patroni', options)
  if ('fault' in python) throw missing('Patroni', 'patroni', python.fault)
  const programs = dirname(python.file)
  const modules = join(programs, '../lib/python3/dist-packages')
  if (!existsSync(modules)) throw missing('Patroni', 'patroni', 'its modules are not in the package')
  const { file, env } = engineProgram(python)
  return { file, args: [join(programs, 'patroni')], env: { ...env, PYTHONPATH: modules } }
}

function engineProgram({ file, libraryPath }: Pick<Program, 'file' | 'libraryPath'>): EngineProgram {
  const env = {
    PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
    LC_ALL: 'C',
    ...(libraryPath && { LD_LIBRARY_PATH: libraryPath }),
  }
  return { file, args: [], env }
}

function missing(title: string, packageName: string, fault: string): StartError {
  return new StartError(`${title} was not found${fault === '' ? '' : ` (${fault})`}: install ${packageName}.`)
}
