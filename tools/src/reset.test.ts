import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { clusterElsewhere, ensureCluster } from './infrastructure/postgres-cluster.ts'
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

describe('without a reset', () => {
  it('a database whose password is lost stays', async () => {
    // As root it may be outside of the data folder; a test without these rights cannot create that.
    const place = process.getuid?.() === 0 ? clusterElsewhere(dataDir) : dataDir
    const version = join(place, 'postgres', 'data', 'PG_VERSION')
    mkdirSync(dirname(version), { recursive: true })
    writeFileSync(version, '18')
    const binaries = { folder: '/none', version: '18.0' }
    const start = ensureCluster(join(place, 'postgres'), { binaries, owner: undefined, dataDir })
    await expect(start).rejects.toThrow('secrets.json does not have the password that PostgreSQL was set up with')
    expect(existsSync(version)).toBe(true)
    rmSync(dataDir, { recursive: true })
    await reset({ dataDir, env: {}, print })
    expect(existsSync(version)).toBe(false)
  })
})
