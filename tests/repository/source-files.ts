import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'

export const repository = resolve(import.meta.dirname, '../..')

const SKIPPED = new Set(['node_modules', '.data', '.git', '.turbo', 'coverage', 'dist', 'fixtures'])

/** The paths of all files below a folder of the repository, from its root, in alphabetical order. */
export function filesBelow(folder: string): string[] {
  const start = join(repository, folder)
  if (!existsSync(start)) return []
  return readdirSync(start, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : filesBelow(path)
      return entry.isFile() ? [path] : []
    })
    .toSorted()
}

/** The folders of the workspaces, as package.json lists them. */
export function workspaces(): string[] {
  const folders = ['apps', 'packages', 'services'].flatMap((parent) =>
    readdirSync(join(repository, parent), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(parent, entry.name)),
  )
  return [...folders, 'tools', 'demo', 'bench', 'tests']
}

/** The documents for people. */
export const DOCUMENTS: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  ...['apps', 'docs', 'services', 'packages', 'tools', 'demo', 'bench', 'deploy'].flatMap(filesBelow),
].filter((path) => path.endsWith('.md'))

export interface Line {
  /** `path:number`, as an editor opens it. */
  at: string
  path: string
  text: string
}

/** Every line of TypeScript below these folders. */
export function linesOfCode(folders: readonly string[]): Line[] {
  return folders
    .flatMap(filesBelow)
    .filter((path) => /\.tsx?$/.test(path))
    .flatMap(linesOf)
}

export function linesOf(path: string): Line[] {
  return readText(path)
    .split('\n')
    .map((text, index) => ({ at: `${path}:${index + 1}`, path, text }))
}

export function readText(path: string): string {
  return readFileSync(join(repository, path), 'utf8')
}

/** The cells of all tables of a document, row by row. */
export function tableRows(text: string): string[][] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
}

/** The path from the root of the repository, or undefined for a path outside of the repository. */
export function fromRoot(path: string): string | undefined {
  const inside = relative(repository, resolve(repository, path))
  return inside.startsWith('..') ? undefined : inside
}
