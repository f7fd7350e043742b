import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { programSources } from './build-programs.ts'
import { deleteUnreadCode } from './delete-unread-code.ts'

const OURS = `${process.version}-${process.arch}-964aae3f-0`
const FORMER = `v22.1.0-${process.arch}-964aae3f-0`

let dataDir: string
let folder: string

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'storefront-compiled-'))
  folder = join(dataDir, 'compile-cache')
  for (const name of [OURS, FORMER]) {
    await mkdir(join(folder, name), { recursive: true })
    await writeFile(join(folder, name, 'code'), '')
  }
})
afterEach(() => rm(dataDir, { recursive: true }))

test('a shop that runs its sources deletes what other versions of Node have compiled', async () => {
  await deleteUnreadCode(dataDir, programSources(dataDir))
  expect(await readdir(folder)).toEqual([OURS])
  expect(existsSync(join(folder, OURS, 'code'))).toBe(true)
})

test('a shop whose programs are built reads none of it, and deletes all', async () => {
  await deleteUnreadCode(dataDir, { compileCache: join(dataDir, 'programs', '0c5d', 'compile-cache') })
  expect(await readdir(folder)).toEqual([])
})

test('code behind a link, which other shops may read, stays; a data folder may have none', async () => {
  const shared = join(dataDir, 'shared')
  await rename(folder, shared)
  await symlink(shared, folder)
  await deleteUnreadCode(dataDir, { compileCache: join(dataDir, 'programs', '0c5d', 'compile-cache') })
  expect((await readdir(shared)).toSorted()).toEqual([FORMER, OURS].toSorted())
  await rm(folder)
  await expect(deleteUnreadCode(dataDir, programSources(dataDir))).resolves.toBeUndefined()
})
