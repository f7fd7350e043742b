import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { makeFolder } from '../files.ts'
import { messageOf } from '../start-error.ts'
import { downloadPackage, withFreshLists, type FetchOptions } from './apt.ts'
import { tryProgram, type Version } from './program-trial.ts'
import { withSystemLock } from './system-lock.ts'
import { currentTree, linkToPackage, newTreePath, pointLink, programIn } from './unpacked-program.ts'

const run = promisify(execFile)

export type DebianProgram =
  | 'redis-server'
  | 'nats-server'
  | 'prometheus'
  | 'prometheus-postgres-exporter'
  | 'prometheus-redis-exporter'
  | 'postgresql'
  | 'etcd-server'
  | 'haproxy'
  | 'patroni'
  | 'pgbackrest'

interface UnpackedProgram {
  file: string
  /** Folders of libraries that were unpacked with it, separated by colons. */
  libraryPath: string
  /** Undefined when the program did not print it in time. */
  version: Version | undefined
}

/** Programs whose name is not that of their package. */
const PROGRAMS: Partial<Record<DebianProgram, string>> = {
  postgresql: 'postgres',
  'etcd-server': 'etcd',
  // Its interpreter, which is unpacked with it.
  patroni: 'python3',
}

/** The options that print the version of those that do not know `--version`. */
const VERSION_OPTIONS: Partial<Record<DebianProgram, string>> = { haproxy: '-v', pgbackrest: 'version' }

export const SYSTEM_ARCHIVE = "this system's package archive"

/** Allows for a slow archive. Two processes that unpack at the same time would do no harm. */
const LONGEST_WAIT_MS = 15 * 60_000

/**
 * Finds the program of a Debian package, or downloads and unpacks it with the libraries it needs into a folder.
 * Installs nothing, and needs no network when it is unpacked already.
 * @returns the program, or as `fault` why there is none, which is '' on a system without apt
 */
export async function fetchDebianPackage(
  name: DebianProgram,
  options: FetchOptions,
): Promise<UnpackedProgram | { fault: string }> {
  const link = linkToPackage(options.cacheDir, options.archive ? `${name}-${options.archive.suffix}` : name)
  const found = await currentProgram(link, name)
  if (found) return found
  if (!existsSync('/usr/bin/apt-get') || !existsSync('/usr/bin/dpkg-deb')) return { fault: '' }
  const { signal } = options
  return withSystemLock(link, { longestWaitMs: LONGEST_WAIT_MS, ...(signal && { signal }) }, async () => {
    // Another process may have unpacked it while this one waited.
    return (await currentProgram(link, name)) ?? (await unpackBeside(link, name, options))
  })
}

async function currentProgram(link: string, name: DebianProgram): Promise<UnpackedProgram | undefined> {
  const tree = currentTree(link)
  return tree === undefined ? undefined : workingProgram(tree, name)
}

/** @returns the program, even if it is slow to start; undefined when it is missing or fails */
async function workingProgram(tree: string, name: DebianProgram): Promise<UnpackedProgram | undefined> {
  const program = programIn(tree, PROGRAMS[name] ?? name)
  if (program === undefined) return undefined
  const trial = await tryProgram(program.file, { ...program, versionOption: VERSION_OPTIONS[name] ?? '--version' })
  return trial.outcome === 'broken' ? undefined : { ...program, version: trial.version }
}

async function unpackBeside(
  link: string,
  name: DebianProgram,
  options: FetchOptions,
): Promise<UnpackedProgram | { fault: string }> {
  const tree = newTreePath(link)
  options.print(`Downloading ${name} from ${options.archive?.title ?? SYSTEM_ARCHIVE}, into ${tree}.`)
  let isKept = false
  try {
    await fetchAndUnpack(name, tree, options)
    const unpacked = await workingProgram(tree, name)
    if (unpacked === undefined) return { fault: `the Debian package ${name} does not run on this system` }
    pointLink(link, tree)
    isKept = true
    return unpacked
  } catch (error) {
    options.signal?.throwIfAborted()
    return { fault: `fetching its Debian package failed: ${lastLine(messageOf(error))}` }
  } finally {
    // No other process has seen this tree.
    if (!isKept) rmSync(tree, { recursive: true, force: true })
  }
}

async function fetchAndUnpack(name: DebianProgram, tree: string, options: FetchOptions): Promise<void> {
  const downloads = join(tree, 'downloads')
  makeFolder(dirname(tree))
  mkdirSync(downloads, { recursive: true })
  if (options.archive) await downloadWithFreshLists(name, downloads, options)
  else {
    try {
      await downloadPackage(name, downloads, [], options)
    } catch {
      options.signal?.throwIfAborted()
      // This system has no package lists, or lists so old that the archive no longer has those versions.
      options.print(`This system's package lists do not have ${name}: downloading current ones into a separate folder.`)
      await downloadWithFreshLists(name, downloads, options)
    }
  }
  for (const file of readdirSync(downloads)) await run('/usr/bin/dpkg-deb', ['-x', join(downloads, file), tree])
  rmSync(downloads, { recursive: true, force: true })
}

function downloadWithFreshLists(name: DebianProgram, into: string, options: FetchOptions): Promise<void> {
  return withFreshLists(options, async (lists, aptErrors) => {
    await downloadPackage(name, into, lists, options).catch((error: unknown): never => {
      throw new Error(aptErrors === '' ? messageOf(error) : aptErrors)
    })
  })
}

function lastLine(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const faults = lines.filter((line) => /^[EW]:/.test(line))
  // The cause; later lines are its consequences.
  const fetching = faults.find((line) => line.includes('Failed to fetch'))
  return (fetching ?? faults.at(-1) ?? lines.at(-1) ?? text).replace(/^[EW]:\s*/, '')
}
