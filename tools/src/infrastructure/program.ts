import { join } from 'node:path'
import { StartError } from '../start-error.ts'
import type { Archive } from './apt.ts'
import { fetchDebianPackage, SYSTEM_ARCHIVE, type DebianProgram } from './debian-package.ts'
import { installedPrograms } from './installed-programs.ts'
import { tryProgram, type Version } from './program-trial.ts'
import type { ServerOptions } from './running-server.ts'

export interface WantedProgram {
  title: string
  /** Also the name of the Debian package. */
  name: DebianProgram
  /** Other programs that do the same. */
  alternatives?: string[]
  least: Version
  /** Where the package is looked for when that of this system's archive is too old. */
  newerArchive?: Archive
  /** The environment variable that replaces the search, if there is one. */
  variable?: string
}

export interface Program {
  file: string
  source: string
  libraryPath: string
}

/**
 * Finds a server that is installed, or fetches its Debian package without installing it.
 * @throws StartError with what to do when there is none
 */
export async function findProgram(wanted: WantedProgram, options: ServerOptions): Promise<Program> {
  return (await findInstalled(wanted, options)) ?? (await fetchPackage(wanted, options))
}

async function findInstalled(
  { name, alternatives = [], least }: WantedProgram,
  { env, print }: ServerOptions,
): Promise<Program | undefined> {
  for (const file of [name, ...alternatives].flatMap((each) => installedPrograms(each, env))) {
    const { outcome, version } = await tryProgram(file, { libraryPath: '' })
    // A program that is merely slow to print its version is used. Its start shows whether it works.
    if (outcome === 'busy' || (version && isRecent(version, least))) {
      return { file, source: file, libraryPath: '' }
    }
    print(`${file} is ${version?.join('.') ?? 'unusable'}, ${least.join('.')} is required: looking elsewhere.`)
  }
  return undefined
}

async function fetchPackage(wanted: WantedProgram, options: ServerOptions): Promise<Program> {
  const { name, least, newerArchive } = wanted
  const cacheDir = options.cacheDir ?? join(options.dataDir, 'packages')
  const faults: string[] = []
  for (const archive of newerArchive ? [undefined, newerArchive] : [undefined]) {
    const fetched = await fetchDebianPackage(name, { ...options, cacheDir, ...(archive && { archive }) })
    if ('fault' in fetched) faults.push(fetched.fault)
    else if (fetched.version && !isRecent(fetched.version, least)) {
      const version = fetched.version.join('.')
      faults.push(`${archive?.title ?? SYSTEM_ARCHIVE} has ${name} ${version}, and ${least.join('.')} is required`)
    } else return { file: fetched.file, libraryPath: fetched.libraryPath, source: `Debian package ${name}` }
  }
  throw notFound(wanted, faults.filter((fault) => fault !== '').join('; '))
}

function notFound({ title, variable, name }: WantedProgram, fault: string): StartError {
  return new StartError(
    `${title} was not found${fault === '' ? '' : ` (${fault})`}: ` +
      `${variable === undefined ? '' : `set ${variable}, start a Docker engine, or `}install ${name}.`,
  )
}

export function isRecent([major, minor]: Version, [leastMajor, leastMinor]: Version): boolean {
  return major > leastMajor || (major === leastMajor && minor >= leastMinor)
}
