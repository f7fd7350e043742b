import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeDebianArchive, type ArchivedPackage } from '../testing/debian-archive.ts'
import { fetchDebianPackage } from './debian-package.ts'
import { currentTree, linkToPackage, newTreePath, pointLink } from './unpacked-program.ts'

const WORKS = '#!/bin/sh\necho Redis server v=7.2.0\n'
const hasApt = existsSync('/usr/bin/apt-get')

let folder: string
let cacheDir: string
let link: string
let printed: string[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'storefront-debian-package-'))
  cacheDir = join(folder, 'cache')
  link = linkToPackage(cacheDir, 'redis-server')
  printed = []
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Unpacks a program as an earlier start did. @returns the file of the program */
function unpackedBefore(script: string): string {
  const tree = newTreePath(link)
  const file = join(tree, 'usr/bin/redis-server')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, script)
  chmodSync(file, 0o755)
  pointLink(link, tree)
  return file
}

/** Packages as Debian divides them: that of the server contains a link into that of the tools. */
const divided: ArchivedPackage[] = [
  { name: 'redis-server', depends: 'redis-tools', links: { 'usr/bin/redis-server': 'redis-check-rdb' } },
  { name: 'redis-tools', scripts: { 'usr/bin/redis-check-rdb': WORKS } },
]

function fetchFrom(archive: string) {
  return fetchDebianPackage('redis-server', {
    cacheDir,
    env: { APT_CONFIG: archive },
    print: (line) => printed.push(line),
  })
}

it('a program that an earlier start unpacked is used without output and without the network', async () => {
  const file = unpackedBefore(WORKS)
  const found = await fetchDebianPackage('redis-server', { cacheDir, env: {}, print: (line) => printed.push(line) })
  expect(found).toEqual({ file, libraryPath: '', version: [7, 2] })
  expect(printed).toEqual([])
})

it('a program that was killed before it printed its version is kept, as the machine may be busy', async () => {
  const file = unpackedBefore('#!/bin/sh\nkill -9 $$\n')
  const found = await fetchDebianPackage('redis-server', { cacheDir, env: {}, print: (line) => printed.push(line) })
  expect(found).toEqual({ file, libraryPath: '', version: undefined })
  expect(printed).toEqual([])
})

it.skipIf(!hasApt)('packages that a program links into are fetched, although they are installed here', async () => {
  const found = await fetchFrom(makeDebianArchive(folder, divided, { installed: ['redis-tools'] }))
  expect(found).toMatchObject({ file: expect.stringMatching(/usr\/bin\/redis-server$/), version: [7, 2] })
})

it.skipIf(!hasApt)(
  'a new program is unpacked beside one that does not run, which stays for the processes that use it',
  async () => {
    const damaged = unpackedBefore('#!/bin/sh\nexit 127\n')
    const found = await fetchFrom(makeDebianArchive(folder, divided))
    const tree = currentTree(link) ?? ''
    expect(found).toMatchObject({ file: join(tree, 'usr/bin/redis-server'), version: [7, 2] })
    expect(damaged.startsWith(tree)).toBe(false)
    expect(existsSync(damaged)).toBe(true)
  },
)

it.skipIf(!hasApt)('a package is fetched once for several concurrent callers', async () => {
  const archive = makeDebianArchive(folder, divided)
  const found = await Promise.all([fetchFrom(archive), fetchFrom(archive), fetchFrom(archive)])
  expect(new Set(found.map((each) => JSON.stringify(each))).size).toBe(1)
  expect(printed.filter((line) => line.startsWith('Downloading redis-server'))).toHaveLength(1)
})

it.skipIf(!hasApt)('a package that cannot be fetched is an error in one line, and leaves no other files', async () => {
  const damaged = unpackedBefore('#!/bin/sh\nexit 127\n')
  const tree = currentTree(link)
  const found = await fetchFrom(makeDebianArchive(folder, [{ name: 'redis-tools' }]))
  expect(found).toEqual({ fault: expect.stringMatching(/^fetching its Debian package failed: .*redis-server$/) })
  const useless = await fetchFrom(
    makeDebianArchive(folder, [{ name: 'redis-server', scripts: { 'usr/bin/redis-server': '#!/bin/sh\nexit 1\n' } }]),
  )
  expect(useless).toEqual({ fault: 'the Debian package redis-server does not run on this system' })
  expect(currentTree(link)).toBe(tree)
  expect(existsSync(damaged)).toBe(true)
  expect(readdirSync(dirname(link))).toHaveLength(2)
})
