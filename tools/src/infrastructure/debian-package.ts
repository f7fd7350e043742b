import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { makeFolder } from '../files.ts'
import { messageOf } from '../start-error.ts'
import { runApt, withFreshLists } from './apt.ts'
import type { FetchOptions } from './apt.ts'

const run = promisify(execFile)

export type DebianProgram = 'redis-server' | 'nats-server' | 'prometheus' | 'postgresql'

/** Where a package is called otherwise than its program. */
const PROGRAMS: Partial<Record<DebianProgram, string>> = { postgresql: 'postgres' }

/**
 * Answers the program out of its Debian package: unpacked into a folder with the libraries this system lacks, nothing
 * installed, no network when it is there already. `fault` says why there is none, '' where there is no apt.
 */
export async function fetchDebianPackage(
  name: DebianProgram,
  options: FetchOptions,
): Promise<{ file: string; libraryPath: string } | { fault: string }> {
  const folder = join(resolve(options.cacheDir), name)
  const cached = await findWorking(folder, name)
  if (cached) return cached
  if (!existsSync('/usr/bin/apt-get') || !existsSync('/usr/bin/dpkg-deb')) return { fault: '' }
  rmSync(folder, { recursive: true, force: true }) // Unpacked on another system, or damaged.
  options.say(`Fetching ${name} from this system's package archive, into ${folder}.`)
  const temporary = `${folder}.${randomBytes(6).toString('hex')}`
  try {
    await fetchAndUnpack(name, temporary, options)
    takeOver(temporary, folder)
  } catch (error) {
    return { fault: `fetching its Debian package failed: ${lastLine(messageOf(error))}` }
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
  return (await findWorking(folder, name)) ?? { fault: `the Debian package ${name} does not run on this system` }
}

async function findWorking(
  folder: string,
  name: DebianProgram,
): Promise<{ file: string; libraryPath: string } | undefined> {
  const program = PROGRAMS[name] ?? name
  const file = programFolders(folder)
    .map((place) => join(place, program))
    .find((path) => existsSync(path))
  if (file === undefined) return undefined
  const libraryPath = libraryFolders(folder).join(':')
  try {
    await run(file, ['--version'], { env: { LD_LIBRARY_PATH: libraryPath }, timeout: 10_000 })
    return { file, libraryPath }
  } catch {
    return undefined
  }
}

/** PostgreSQL keeps the programs of each of its versions in a folder of their own. */
function programFolders(folder: string): string[] {
  const postgres = join(folder, 'usr/lib/postgresql')
  const versions = existsSync(postgres) ? readdirSync(postgres).map((version) => join(postgres, version, 'bin')) : []
  return [join(folder, 'usr/bin'), join(folder, 'usr/sbin'), ...versions]
}

function libraryFolders(folder: string): string[] {
  const roots = ['usr/lib', 'lib'].map((place) => join(folder, place)).filter((path) => existsSync(path))
  return roots.flatMap((root) => [
    root,
    ...readdirSync(root)
      .filter((entry) => entry.includes('-linux-'))
      .map((entry) => join(root, entry)),
  ])
}

async function fetchAndUnpack(name: DebianProgram, target: string, options: FetchOptions): Promise<void> {
  const downloads = join(target, 'downloads')
  makeFolder(dirname(target))
  mkdirSync(downloads, { recursive: true })
  try {
    await download(name, downloads, [], options)
  } catch {
    options.signal?.throwIfAborted()
    // No package lists, or lists so old that the archive no longer has what they name: lists of our own, then once more.
    options.say(`This system's package lists do not do for ${name}: reading fresh ones into a folder of our own.`)
    await withFreshLists(options, async (lists, complaint) => {
      await download(name, downloads, lists, options).catch((error: unknown): never => {
        throw new Error(complaint === '' ? messageOf(error) : complaint)
      })
    })
  }
  for (const file of readdirSync(downloads)) await run('dpkg-deb', ['-x', join(downloads, file), target])
  rmSync(downloads, { recursive: true, force: true })
}

async function download(
  name: DebianProgram,
  folder: string,
  aptOptions: string[],
  options: FetchOptions,
): Promise<void> {
  const { stdout: plan } = await runApt(
    ['install', '--simulate', '--no-install-recommends', '--reinstall', name],
    aptOptions,
    options,
  )
  const packages = [...plan.matchAll(/^Inst (\S+)/gm)].map(([, entry]) => entry ?? '')
  // A second C library beside the system's would crash every program that is loaded with it.
  const wanted = packages.filter((entry) => !/^(libc6|libc-bin)\b/.test(entry))
  if (!wanted.includes(name)) throw new Error(`the archive has no ${name}`)
  await runApt(['download', ...wanted], aptOptions, options, folder)
}

function takeOver(temporary: string, folder: string): void {
  try {
    renameSync(temporary, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error // Otherwise another start was quicker, and its copy is as good.
  }
}

function lastLine(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const faults = lines.filter((line) => /^[EW]:/.test(line))
  const fetching = faults.find((line) => line.includes('Failed to fetch')) // The reason; later lines only say what follows from it.
  return (fetching ?? faults.at(-1) ?? lines.at(-1) ?? text).replace(/^[EW]:\s*/, '')
}
