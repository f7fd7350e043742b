import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { linkToPackage, newTreePath, pointLink } from '../infrastructure/unpacked-program.ts'
import { findNewerPostgres } from './find-newer-postgres.ts'

let cacheDir: string
const printed: string[] = []

beforeAll(async () => {
  cacheDir = await mkdtemp(join(tmpdir(), 'storefront-newer-'))
})
afterAll(() => rm(cacheDir, { recursive: true }))

/** A folder with a program that prints this version. */
async function programsOf(folder: string, version: string) {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'postgres'), `#!/bin/sh\necho 'postgres (PostgreSQL) ${version}'\n`, { mode: 0o755 })
  return { folder, libraryPath: '' }
}

test('PostgreSQL is upgraded to a newer minor version of the archive, and to no other version', async () => {
  const link = linkToPackage(cacheDir, 'postgresql')
  const tree = newTreePath(link)
  await programsOf(join(tree, 'usr/lib/postgresql/15/bin'), '15.20 (Debian 15.20-0+deb12u1)')
  pointLink(link, tree)
  const options = { cacheDir, env: {}, print: (line: string) => void printed.push(line) }
  const upgradeFrom = async (version: string) =>
    findNewerPostgres(await programsOf(join(cacheDir, version), version), options)
  expect(await upgradeFrom('15.18')).toMatchObject({ folder: expect.stringMatching(/postgresql\/15\/bin$/) })
  expect(await upgradeFrom('15.20')).toBeUndefined()
  expect(await upgradeFrom('14.9')).toBeUndefined()
  expect(printed).toEqual([
    'PostgreSQL is upgraded from 15.18 to 15.20 and back.',
    'The upgrade of PostgreSQL restarts the same version: the archive has no newer minor version.',
    'The upgrade of PostgreSQL restarts the same version: the archive has no newer minor version.',
  ])
})
