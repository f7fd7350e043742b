import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { lockDataFolder } from './launcher-lock.ts'
import { reset } from './reset.ts'

let dataDir: string
const print = (): void => {}

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'storefront-reset-'))
  for (const folder of ['run', 'postgres', 'media', 'packages', 'backups']) mkdirSync(join(dataDir, folder))
  writeFileSync(join(dataDir, 'secrets.json'), '{}')
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

it('a reset deletes the data of a shop, and keeps its backups and downloaded programs', async () => {
  await reset({ dataDir, env: {}, print })
  expect(readdirSync(dataDir).toSorted()).toEqual(['backups', 'packages', 'run'])
})

it('a reset deletes nothing in a folder with other files', async () => {
  writeFileSync(join(dataDir, 'thesis.txt'), 'years of work')
  await expect(reset({ dataDir, env: {}, print })).rejects.toThrow(
    `${dataDir} holds thesis.txt, which is not the shop's`,
  )
  expect(existsSync(join(dataDir, 'secrets.json'))).toBe(true)
})

it('a reset deletes nothing while a shop uses the folder', async () => {
  const release = await lockDataFolder(dataDir)
  await expect(reset({ dataDir, env: {}, print })).rejects.toThrow('Another shop')
  expect(existsSync(join(dataDir, 'secrets.json'))).toBe(true)
  release()
})

it('a reset deletes damaged run files as well', async () => {
  writeFileSync(join(dataDir, 'run', 'redis.json'), '{')
  await reset({ dataDir, env: {}, print })
  expect(readdirSync(join(dataDir, 'run'))).toEqual([])
})

it('a reset of a missing folder succeeds', async () => {
  await expect(reset({ dataDir: join(dataDir, 'none'), env: {}, print })).resolves.toBeUndefined()
})
