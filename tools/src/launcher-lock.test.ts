import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { lockDataFolder } from './launcher-lock.ts'

let dataDir: string

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'storefront-lock-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

it('one launcher at a time can lock a data folder, and the error names the launcher that holds it', () => {
  const release = lockDataFolder(dataDir)
  expect(() => lockDataFolder(dataDir)).toThrow(`Another shop (process ${process.pid}) is using ${dataDir}`)
  release()
  lockDataFolder(dataDir)()
})

it('the lock of a killed launcher is reclaimed, even when another process now has its id', () => {
  mkdirSync(join(dataDir, 'run'))
  writeFileSync(join(dataDir, 'run', 'launcher.json'), JSON.stringify({ pid: process.pid, identity: 'long ago' }))
  expect(() => lockDataFolder(dataDir)).not.toThrow()
})
