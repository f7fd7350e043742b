import { createHash } from 'node:crypto'
import { existsSync, readdirSync, statSync, utimesSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { makeFolder, withPrivateFiles } from '../files.ts'
import { withSystemLock } from '../infrastructure/system-lock.ts'
import { runBuild } from '../run-build.ts'
import { messageOf } from '../start-error.ts'
import { PROGRAMS, type Program } from './program-files.ts'

const repository = resolve(import.meta.dirname, '../../..')
const TIMEOUT_MS = 120_000
const KEPT_MS = 12 * 3_600_000

/** How the programs of a shop run. */
export interface Programs {
  /** @returns the file to run */
  fileOf: (program: Program) => string
  /** The folder in which Node keeps compiled code. */
  compileCache: string
}

export interface BuildOptions {
  /** Cancels a build, and ends its process. */
  signal?: AbortSignal
  /** Receives lines for the person at the terminal. */
  print?: (line: string) => void
}

/**
 * @param cacheDir the folder of cached files; several data folders may share it
 * @param version the folder of the sources, by default of this version
 */
export function programSources(cacheDir: string, version = repository): Programs {
  return { fileOf: (program) => join(version, program), compileCache: join(cacheDir, 'compile-cache') }
}

/**
 * Builds each program into a few files of JavaScript, which need less memory and start in half the CPU time of a
 * thousand modules. Builds only when a source has changed since the last time, in a process of its own, whose memory is
 * free again afterwards.
 * @param cacheDir the folder of cached files; several data folders may share it
 */
export async function buildPrograms(cacheDir: string, { signal, print }: BuildOptions = {}): Promise<Programs> {
  const folder = join(resolve(cacheDir), 'programs')
  const built = join(folder, sourceState())
  const programs = {
    fileOf: (program: Program) => join(built, program.replace(/\.ts$/, '.mjs')),
    // Deleted with the build that it was compiled from.
    compileCache: join(built, 'compile-cache'),
  }
  if (existsSync(built)) {
    keep(built)
    return programs
  }
  return withSystemLock(built, { longestWaitMs: TIMEOUT_MS, ...(signal && { signal }) }, async () => {
    if (existsSync(built)) return programs
    makeFolder(folder)
    print?.('Building the services.')
    await build(built, signal)
    await removeOld(folder)
    return programs
  })
}

/** The same for a shop, which runs from its sources when they cannot be built, and says so. */
export async function programsOrSources(cacheDir: string, options: Required<BuildOptions>): Promise<Programs> {
  try {
    return await buildPrograms(cacheDir, options)
  } catch (error) {
    const { signal, print } = options
    if (!signal.aborted) print(`The services could not be built, so they run from their sources: ${messageOf(error)}`)
    return programSources(cacheDir)
  }
}

/** @returns a hash that changes with each source and each package */
function sourceState(): string {
  const state = createHash('sha256').update(repository)
  for (const path of ['package-lock.json', ...PROGRAMS, ...sourceFolders().flatMap(filesBelow)]) {
    const { mtimeMs, size } = statSync(join(repository, path))
    state.update(`${path} ${mtimeMs} ${size}\n`)
  }
  return state.digest('hex').slice(0, 16)
}

const sourceFolders = (): string[] =>
  ['packages', 'services']
    .flatMap((group) => readdirSync(join(repository, group)).map((name) => join(group, name, 'src')))
    .concat('tools/src', 'demo/src')
    .filter((path) => existsSync(join(repository, path)))

const filesBelow = (path: string): string[] =>
  readdirSync(join(repository, path), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.ts$/.test(file))
    .toSorted()
    .map((file) => join(path, file))

function build(built: string, signal: AbortSignal | undefined): Promise<void> {
  const main = join(import.meta.dirname, 'bundle-main.ts')
  const options = { cwd: repository, timeoutMs: TIMEOUT_MS, ...(signal && { signal }) }
  return withPrivateFiles(() => runBuild(['--disable-warning=ExperimentalWarning', main, built], options))
}

/** Counts as used from now on. */
function keep(built: string): void {
  try {
    utimesSync(built, new Date(), new Date())
  } catch {
    // The folder belongs to another user, who keeps it.
  }
}

/** A shop that shares the folder may still run what was used in the last hours, and restarts its services from it. */
async function removeOld(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    // Another process may remove or rename a build meanwhile.
    const usedMs = (await stat(path).catch(() => undefined))?.mtimeMs ?? Infinity
    if (usedMs < Date.now() - KEPT_MS) await rm(path, { recursive: true, force: true })
  }
}
