import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { takeDataFolder } from './launcher-lock.ts'
import { reset } from './reset.ts'

let dataDir: string
const print = (): void => {}

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'storefront-reset-'))
  for (const folder of ['run', 'postgres', 'media', 'packages', 'backups']) mkdirSync(join(dataDir, folder))
  writeFileSync(join(dataDir, 'secrets.json'), '{}')
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

it('deletes the data of a shop, and keeps its backups and the programs it fetched', async () => {
  await reset({ dataDir, env: {}, print })
  expect(readdirSync(dataDir).toSorted()).toEqual(['backups', 'packages', 'run'])
})

it('deletes nothing in a folder that holds anything else', async () => {
  writeFileSync(join(dataDir, 'thesis.txt'), 'years of work')
  await expect(reset({ dataDir, env: {}, print })).rejects.toThrow(
    `${dataDir} holds thesis.txt, which is not the shop's`,
  )
  expect(existsSync(join(dataDir, 'secrets.json'))).toBe(true)
})

it('deletes nothing while a shop runs on the folder', async () => {
  const release = takeDataFolder(dataDir)
  await expect(reset({ dataDir, env: {}, print })).rejects.toThrow('Another shop')
  expect(existsSync(join(dataDir, 'secrets.json'))).toBe(true)
  release()
})

it('gets rid of damaged notes as well', async () => {
  writeFileSync(join(dataDir, 'run', 'redis.json'), '{')
  await reset({ dataDir, env: {}, print })
  expect(readdirSync(join(dataDir, 'run'))).toEqual([])
})

it('has nothing to say about a folder that does not exist', async () => {
  await expect(reset({ dataDir: join(dataDir, 'none'), env: {}, print })).resolves.toBeUndefined()
})
