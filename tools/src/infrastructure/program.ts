import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '../start-error.ts'
import { fetchDebianPackage } from './debian-package.ts'
import type { DebianProgram } from './debian-package.ts'
import type { ServerOptions } from './running-server.ts'

const run = promisify(execFile)

export interface WantedProgram {
  title: string
  /** Also the name of the Debian package. */
  name: DebianProgram
  /** Other programs that do the same. */
  alternatives?: string[]
  least: [major: number, minor: number]
  /** The variable that would spare us the search. */
  variable: string
}

export interface Program {
  file: string
  source: string
  libraryPath: string
}

/** Finds a server on PATH, or fetches its Debian package without installing it. */
export async function findProgram(wanted: WantedProgram, options: ServerOptions): Promise<Program> {
  for (const name of [wanted.name, ...(wanted.alternatives ?? [])]) {
    for (const file of candidates(name, options.env)) {
      const version = await versionOf(file)
      if (version && isRecent(version, wanted.least)) return { file, source: file, libraryPath: '' }
      options.say(
        `${file} is ${version?.join('.') ?? 'unusable'}, ${wanted.least.join('.')} is the least: looking elsewhere.`,
      )
    }
  }
  const cacheDir = options.cacheDir ?? join(options.dataDir, 'packages')
  const fetched = await fetchDebianPackage(wanted.name, { ...options, cacheDir })
  if ('file' in fetched) return { ...fetched, source: `Debian package ${wanted.name}` }
  throw new StartError(
    `${wanted.title} was not found${fetched.fault === '' ? '' : ` (${fetched.fault})`}: ` +
      `set ${wanted.variable}, start a Docker engine, or install ${wanted.name}.`,
  )
}

function candidates(name: string, env: NodeJS.ProcessEnv): string[] {
  // Debian keeps nats-server in a folder that ordinary users do not have on their PATH.
  const folders = [...(env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin']
  return [...new Set(folders.filter((folder) => folder !== '').map((folder) => join(folder, name)))].filter(
    isExecutable,
  )
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

async function versionOf(file: string): Promise<[number, number] | undefined> {
  try {
    const { stdout } = await run(file, ['--version'], { timeout: 5_000 })
    const [, major, minor] = /\bv=?(\d+)\.(\d+)/.exec(stdout) ?? []
    return major === undefined || minor === undefined ? undefined : [Number(major), Number(minor)]
  } catch {
    return undefined
  }
}

function isRecent([major, minor]: [number, number], [leastMajor, leastMinor]: [number, number]): boolean {
  return major > leastMajor || (major === leastMajor && minor >= leastMinor)
}
