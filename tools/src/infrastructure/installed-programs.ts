import { accessSync, constants, existsSync, readdirSync, realpathSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Debian installs each version of PostgreSQL in a folder of its own here, which is not on the PATH. */
const POSTGRES_FOLDER = '/usr/lib/postgresql'

/** The PATH of an ordinary user often has no folder of servers, and a process may have no PATH at all. */
const USUAL_FOLDERS = [
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/sbin',
  '/usr/bin',
  '/sbin',
  '/bin',
  '/opt/homebrew/bin',
]

/**
 * Finds every installed program of that name: on the PATH of `env`, on that of this process, and in the usual folders.
 * @returns the path of each file once, with symbolic links, because some programs depend on the name they are called by
 */
export function installedPrograms(name: string, env: NodeJS.ProcessEnv): string[] {
  const folders = [...pathOf(env), ...pathOf(process.env), ...USUAL_FOLDERS, ...postgresFolders()]
  const byFile = new Map<string, string>()
  for (const path of folders.map((folder) => join(folder, name)).filter(isExecutable)) {
    const file = realpathSync(path)
    if (!byFile.has(file)) byFile.set(file, path)
  }
  return [...byFile.values()]
}

function pathOf(env: NodeJS.ProcessEnv): string[] {
  return (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
}

/** The latest version first. */
function postgresFolders(): string[] {
  if (!existsSync(POSTGRES_FOLDER)) return []
  const versions = readdirSync(POSTGRES_FOLDER).toSorted((one, other) => Number(other) - Number(one))
  return versions.map((version) => join(POSTGRES_FOLDER, version, 'bin'))
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
