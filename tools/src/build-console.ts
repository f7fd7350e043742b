import { execFile } from 'node:child_process'
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { messageOf } from './start-error.ts'

const run = promisify(execFile)
const ROOT = resolve(import.meta.dirname, '../..')
const FOLDER = join(ROOT, 'apps/console')
const BUILT = join(FOLDER, 'dist')
/** What the built console depends on. */
const SOURCES = [
  join(FOLDER, 'src'),
  join(FOLDER, 'index.html'),
  join(FOLDER, 'package.json'),
  join(FOLDER, 'vite.config.ts'),
  join(ROOT, 'packages/client/src'),
  join(ROOT, 'packages/contracts/src'),
  join(ROOT, 'package-lock.json'),
]
const TIMEOUT_MS = 180_000

/**
 * Builds the merchants' console when a file of it is newer than what was built last. The shop works without it: a
 * failure is printed and no error.
 */
export async function buildConsole({ print }: { print: (line: string) => void }): Promise<void> {
  if (!isStale()) return
  print("Building the merchants' console.")
  // In a folder of its own: a shop that is running serves the last one meanwhile.
  const folder = `${BUILT}-${process.pid}`
  try {
    const vite = join(createRequire(join(FOLDER, 'package.json')).resolve('vite/package.json'), '../bin/vite.js')
    await run(process.execPath, [vite, 'build', '--outDir', folder, '--logLevel', 'warn'], {
      cwd: FOLDER,
      // A test may have started this: React would be built for development.
      env: { ...process.env, NODE_ENV: 'production' },
      timeout: TIMEOUT_MS,
    })
    replaceBuilt(folder)
  } catch (error) {
    print(`The console could not be built, and /console says so: ${messageOf(error)}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Another process may build at the same time: the first one wins, and both have built the same. */
function replaceBuilt(folder: string): void {
  const before = `${folder}-before`
  try {
    if (existsSync(BUILT)) renameSync(BUILT, before)
    renameSync(folder, BUILT)
  } catch (error) {
    if (isStale()) throw error
  } finally {
    rmSync(before, { recursive: true, force: true })
  }
}

function isStale(): boolean {
  const page = join(BUILT, 'index.html')
  if (!existsSync(page)) return true
  const builtMs = statSync(page).mtimeMs
  return SOURCES.some((path) => newestMs(path) > builtMs)
}

function newestMs(path: string): number {
  const entry = statSync(path)
  if (!entry.isDirectory()) return entry.mtimeMs
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' })
  return Math.max(entry.mtimeMs, ...files.map((name) => statSync(join(path, name)).mtimeMs))
}
