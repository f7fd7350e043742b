import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { deleteLeftBuilds } from './delete-left-builds.ts'
import { runBuild } from './run-build.ts'
import { messageOf } from './start-error.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const TIMEOUT_MS = 180_000

interface App {
  /** What is printed while it is built, and when it cannot be. */
  building: string
  failed: string
  /** Besides `src`, `package.json` and `vite.config.ts`, what the built application depends on. */
  sources: readonly string[]
  /** The options of each build; `dist` is replaced when all have succeeded. */
  builds: readonly { into: string; options: readonly string[] }[]
  /** A file below `dist` that is written last. */
  last: string
}

/** By their folders below `apps`. */
export const APPS = {
  console: {
    building: "Building the merchants' console.",
    failed: 'The console could not be built, and /console shows how to build it',
    sources: ['index.html'],
    builds: [{ into: '', options: [] }],
    last: 'index.html',
  },
  storefront: {
    building: 'Building the storefront.',
    failed: 'The storefront could not be built, so it does not run',
    sources: ['public', 'subset-typeface.ts'],
    builds: [
      { into: 'client', options: [] },
      { into: 'server', options: ['--ssr'] },
    ],
    last: 'server/main.js',
  },
} as const satisfies Record<string, App>

export type AppName = keyof typeof APPS

export function builtFolder(name: AppName): string {
  return join(ROOT, 'apps', name, 'dist')
}

/** @returns whether an application was built, even from older sources */
export function isBuilt(name: AppName): boolean {
  return existsSync(join(builtFolder(name), APPS[name].last))
}

interface BuildOptions {
  print: (line: string) => void
  /** Ends the build, which then leaves nothing behind. */
  signal?: AbortSignal
}

/**
 * Builds an application when a file of it is newer than what was built last. The shop works without it: a failure is
 * printed, not thrown.
 */
export async function buildApp(name: AppName, { print, signal }: BuildOptions): Promise<void> {
  if (!isStale(name)) return
  const { building, failed, builds } = APPS[name]
  print(building)
  const folder = join(ROOT, 'apps', name)
  deleteLeftBuilds(folder)
  // In a folder of its own: a shop that is running serves the last one meanwhile.
  const unfinished = `${builtFolder(name)}-${process.pid}`
  try {
    const vite = join(createRequire(join(folder, 'package.json')).resolve('vite/package.json'), '../bin/vite.js')
    for (const { into, options } of builds) {
      const outDir = join(unfinished, into)
      await runBuild([vite, 'build', ...options, '--outDir', outDir, '--logLevel', 'warn'], {
        cwd: folder,
        // A test may have started this: React would be built for development.
        env: { ...process.env, NODE_ENV: 'production' },
        timeoutMs: TIMEOUT_MS,
        ...(signal && { signal }),
      })
    }
    replaceBuilt(name, unfinished)
  } catch (error) {
    if (signal?.aborted !== true) print(`${failed}: ${messageOf(error)}`)
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

/** Another process may build at the same time: the first one wins, and both have built the same. */
function replaceBuilt(name: AppName, unfinished: string): void {
  const built = builtFolder(name)
  const before = `${unfinished}-before`
  try {
    if (existsSync(built)) renameSync(built, before)
    renameSync(unfinished, built)
  } catch (error) {
    if (isStale(name)) throw error
  } finally {
    rmSync(before, { recursive: true, force: true })
  }
}

function isStale(name: AppName): boolean {
  const { sources, last } = APPS[name]
  const file = join(builtFolder(name), last)
  if (!existsSync(file)) return true
  const builtMs = statSync(file).mtimeMs
  const own = ['src', 'package.json', 'vite.config.ts', ...sources].map((path) => join('apps', name, path))
  const shared = ['packages/client/src', 'packages/contracts/src', 'package-lock.json']
  return [...own, ...shared].some((path) => newestMs(join(ROOT, path)) > builtMs)
}

function newestMs(path: string): number {
  const entry = statSync(path)
  if (!entry.isDirectory()) return entry.mtimeMs
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' })
  return Math.max(entry.mtimeMs, ...files.map((name) => statSync(join(path, name)).mtimeMs))
}
