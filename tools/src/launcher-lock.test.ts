import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { processIdentity } from './infrastructure/process-identity.ts'
import { withSystemLock } from './infrastructure/system-lock.ts'
import { lockDataFolder } from './launcher-lock.ts'
import { messageOf } from './start-error.ts'

let dataDir: string

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'storefront-lock-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

it('one launcher at a time can lock a data folder, and the error names the launcher that holds it', async () => {
  const release = await lockDataFolder(dataDir)
  await expect(lockDataFolder(dataDir)).rejects.toThrow(`Another shop (process ${process.pid}) is using ${dataDir}`)
  release()
  const releaseAgain = await lockDataFolder(dataDir)
  releaseAgain()
})

it('the lock of a killed launcher is reclaimed, even when another process now has its id', async () => {
  writeHolder({ pid: process.pid, identity: 'long ago' })
  const release = await lockDataFolder(dataDir)
  const own = { pid: process.pid, identity: processIdentity(process.pid) }
  expect(JSON.parse(readFileSync(join(dataDir, 'run', 'launcher.json'), 'utf8'))).toEqual(own)
  expect(release).not.toThrow()
})

it.skipIf(process.platform !== 'linux')(
  'of two launchers that find the lock of a killed one, the second respects that of the first',
  async () => {
    const killed = { pid: process.pid, identity: 'long ago' }
    const living = { pid: process.ppid, identity: processIdentity(process.ppid) }
    const folder = writeHolder(killed)
    let second = Promise.resolve<unknown>(undefined)
    await withSystemLock(`data folder ${realpathSync(folder)}`, { longestWaitMs: 0 }, async () => {
      second = lockDataFolder(dataDir).catch(messageOf)
      writeHolder(living)
    })
    expect(await second).toContain(`Another shop (process ${process.ppid})`)
    expect(JSON.parse(readFileSync(join(folder, 'launcher.json'), 'utf8'))).toEqual(living)
  },
)

it('a launcher does not release the lock of another one', async () => {
  const release = await lockDataFolder(dataDir)
  const folder = writeHolder({ pid: process.pid, identity: 'another' })
  release()
  expect(existsSync(join(folder, 'launcher.json'))).toBe(true)
})

/** @returns the folder of the file */
function writeHolder(holder: { pid: number; identity: string | undefined }): string {
  const folder = join(dataDir, 'run')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'launcher.json'), JSON.stringify(holder))
  return folder
}
