import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'

/**
 * @returns the path `<cacheDir>/<system>/<package>`, a link to the current tree of an unpacked package. Each tree is a
 * folder beside the link. A tree to which the link has pointed is never changed or deleted, because other processes may
 * run it
 */
export function linkToPackage(cacheDir: string, name: string): string {
  return join(resolve(cacheDir), systemName(), name)
}

/** @returns the path of a new tree of the same package */
export function newTreePath(link: string): string {
  return `${link}.${randomBytes(6).toString('hex')}`
}

/** @returns the path of the current tree itself, which stays the same when the link is replaced */
export function currentTree(link: string): string | undefined {
  return existsSync(link) ? realpathSync(link) : undefined
}

/** Points the link to that tree atomically: another process finds either the old tree or the new one. */
export function pointLink(link: string, tree: string): void {
  const temporary = `${tree}.link`
  try {
    symlinkSync(basename(tree), temporary)
    renameSync(temporary, link)
  } finally {
    rmSync(temporary, { force: true })
  }
}

/** The program in a tree, and the libraries that were unpacked with it. */
export function programIn(tree: string, program: string): { file: string; libraryPath: string } | undefined {
  const file = programFolders(tree)
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path))
  return file === undefined ? undefined : { file, libraryPath: libraryFolders(tree).join(':') }
}

function programFolders(tree: string): string[] {
  const postgres = join(tree, 'usr/lib/postgresql')
  const versions = existsSync(postgres) ? readdirSync(postgres).map((version) => join(postgres, version, 'bin')) : []
  return [join(tree, 'usr/bin'), join(tree, 'usr/sbin'), ...versions]
}

function libraryFolders(tree: string): string[] {
  const roots = ['usr/lib', 'lib'].map((place) => join(tree, place)).filter((path) => existsSync(path))
  return roots.flatMap((root) => [
    root,
    ...readdirSync(root)
      .filter((entry) => entry.includes('-linux-'))
      .map((entry) => join(root, entry)),
  ])
}

/** Programs of one distribution do not run on another, and containers of both may share a cache folder. */
function systemName(): string {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : ''
  const valueOf = (key: string): string => new RegExp(`^${key}="?([\\w.-]+)`, 'm').exec(release)?.[1] ?? ''
  const version = valueOf('VERSION_ID') || valueOf('VERSION_CODENAME')
  return [valueOf('ID') || process.platform, version, process.arch].filter((part) => part !== '').join('-')
}
