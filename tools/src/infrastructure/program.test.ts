import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { makeDebianArchive } from '../testing/debian-archive.ts'
import { installedPrograms } from './installed-programs.ts'
import { findProgram } from './program.ts'
import { linkToPackage, newTreePath, pointLink } from './unpacked-program.ts'

const folder = mkdtempSync(join(tmpdir(), 'storefront-program-'))
const wanted = { title: 'Redis', name: 'redis-server', least: [7, 0], variable: 'REDIS_URL' } satisfies Parameters<
  typeof findProgram
>[0]

afterEach(() => vi.unstubAllEnvs())
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function place(path: string, script: string): string {
  mkdirSync(join(folder, path), { recursive: true })
  const file = join(folder, path, 'redis-server')
  writeFileSync(file, script)
  chmodSync(file, 0o755)
  return file
}

const options = (env: NodeJS.ProcessEnv) => ({ dataDir: join(folder, 'data'), env, print: () => {} })

it('a program is found on the PATH of this process when the environment has none', async () => {
  const file = place('own', '#!/bin/sh\necho Redis server v=7.2.4\n')
  vi.stubEnv('PATH', join(folder, 'own'))
  expect(await findProgram(wanted, options({}))).toEqual({ file, source: file, libraryPath: '' })
})

it('a program is found in the usual folders of the system when no PATH names them', () => {
  vi.stubEnv('PATH', '')
  expect(installedPrograms('sh', {})).toEqual([expect.stringMatching(/^(\/usr)?\/bin\/sh$/)])
})

it('an installed program is used when its version could not be determined', async () => {
  const file = place('slow', '#!/bin/sh\nkill -9 $$\n')
  expect(await findProgram(wanted, options({ PATH: join(folder, 'slow') }))).toMatchObject({ file })
})

it('the error about an archive that is too old names its version and what to do', async () => {
  const cacheDir = join(folder, 'cache')
  const link = linkToPackage(cacheDir, 'redis-server')
  const tree = newTreePath(link)
  place(join(tree.slice(folder.length), 'usr/bin'), '#!/bin/sh\necho Redis server v=6.0.16\n')
  pointLink(link, tree)
  const future = { ...wanted, least: [99, 0] } satisfies Parameters<typeof findProgram>[0]
  await expect(findProgram(future, { ...options({}), cacheDir })).rejects.toThrow(
    "Redis was not found (this system's package archive has redis-server 6.0, and 99.0 is required): set REDIS_URL, start a Docker engine, or install redis-server.",
  )
})

it.skipIf(!existsSync('/usr/bin/apt-get'))(
  "a program of which this system's archive has too old a version is fetched from a newer one, once",
  async () => {
    const archiveWith = (name: string, version: string): string => {
      const program = `#!/bin/sh\necho Redis server v=${version}\n`
      return makeDebianArchive(join(folder, name), [
        { name: 'redis-server', depends: 'library', scripts: { 'usr/bin/redis-server': program } },
        { name: 'library', scripts: { 'usr/lib/library': program } },
      ])
    }
    const own = archiveWith('own', '6.0.16')
    archiveWith('newer', '99.1.0')
    const printed: string[] = []
    const system = {
      dataDir: join(folder, 'system'),
      env: { APT_CONFIG: own },
      print: (line: string) => printed.push(line),
    }
    const source = `deb [trusted=yes] copy:${join(folder, 'newer/archive')} ./`
    const future = {
      ...wanted,
      least: [99, 0],
      newerArchive: { title: 'a newer archive', suffix: 'newer', source },
    } satisfies Parameters<typeof findProgram>[0]

    const found = await findProgram(future, system)
    expect(found.file).toContain('redis-server-newer')
    expect(printed.at(-1)).toContain('Downloading redis-server from a newer archive')
    // Its dependency was not fetched.
    expect(found.libraryPath).toBe('')
    const lines = printed.length
    expect(await findProgram(future, system)).toEqual(found)
    expect(printed).toHaveLength(lines)
    // Where an older version is enough, the program of the system is used.
    const { file } = await findProgram({ ...wanted, least: [6, 0] }, system)
    expect(file).not.toContain('newer')
  },
)
