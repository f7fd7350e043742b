import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface ArchivedPackage {
  name: string
  depends?: string
  /** Content of executable scripts by path, such as `usr/bin/tool`. */
  scripts?: Record<string, string>
  /** Targets of symbolic links by path. */
  links?: Record<string, string>
}

/**
 * Creates an archive of Debian packages in a folder, which apt reads like a mirror.
 * @param options.installed names of packages of the archive that apt treats as installed
 * @returns the file for APT_CONFIG
 */
export function makeDebianArchive(
  folder: string,
  packages: readonly ArchivedPackage[],
  { installed = [] }: { installed?: readonly string[] } = {},
): string {
  const archive = join(folder, 'archive')
  mkdirSync(archive, { recursive: true })
  writeFileSync(join(archive, 'Packages'), packages.map((each) => addPackage(archive, each)).join('\n'))
  const sources = join(folder, 'sources.list')
  writeFileSync(sources, `deb [trusted=yes] copy:${archive} ./\n`)
  const status = join(folder, 'status')
  const installedPackages = packages.filter(({ name }) => installed.includes(name))
  writeFileSync(status, installedPackages.map((each) => `${controlOf(each)}Status: install ok installed\n`).join('\n'))
  const configuration = join(folder, 'apt.conf')
  writeFileSync(
    configuration,
    `Dir::Etc::SourceList "${sources}"; Dir::Etc::SourceParts "/dev/null"; Dir::State::Lists "/dev/null"; Dir::State::status "${status}";`,
  )
  return configuration
}

function addPackage(archive: string, { scripts = {}, links = {}, ...entry }: ArchivedPackage): string {
  const tree = join(archive, entry.name)
  const place = (path: string): string => {
    mkdirSync(dirname(join(tree, path)), { recursive: true })
    return join(tree, path)
  }
  writeFileSync(place('DEBIAN/control'), controlOf(entry))
  for (const [path, content] of Object.entries(scripts)) {
    writeFileSync(place(path), content)
    chmodSync(place(path), 0o755)
  }
  for (const [path, target] of Object.entries(links)) symlinkSync(target, place(path))
  const file = `${entry.name}_1.0_all.deb`
  execFileSync('dpkg-deb', ['--build', '--root-owner-group', tree, join(archive, file)], { stdio: 'ignore' })
  const content = readFileSync(join(archive, file))
  const checksum = createHash('sha256').update(content).digest('hex')
  return `${controlOf(entry)}Filename: ./${file}\nSize: ${content.length}\nSHA256: ${checksum}\n`
}

function controlOf({ name, depends }: ArchivedPackage): string {
  const fields = [
    `Package: ${name}`,
    'Version: 1.0',
    'Architecture: all',
    'Maintainer: Tests <tests@example.com>',
    ...(depends === undefined ? [] : [`Depends: ${depends}`]),
    `Description: ${name}`,
  ]
  return `${fields.join('\n')}\n`
}
