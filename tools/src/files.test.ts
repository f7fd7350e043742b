import { chmodSync, lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeFolderPrivate, withPrivateFiles } from './files.ts'

let dataDir: string

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'storefront-files-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const modeOf = (path: string): number => lstatSync(path).mode & 0o7777

function put(path: string, mode: number): string {
  const file = join(dataDir, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, 'content')
  chmodSync(file, mode)
  return file
}

describe('makeFolderPrivate', () => {
  it('removes the permissions of other users from files of the shop, and keeps programs executable', () => {
    const files = [
      put('secrets.json', 0o644),
      put('mail/one.eml', 0o666),
      put('media/a/b.svg', 0o640),
      put('packages/redis/bin/redis-server', 0o755),
    ]
    chmodSync(dataDir, 0o755)
    chmodSync(join(dataDir, 'media'), 0o777)
    makeFolderPrivate(dataDir)
    expect(files.map(modeOf)).toEqual([0o600, 0o600, 0o600, 0o700])
    for (const folder of [dataDir, join(dataDir, 'media'), join(dataDir, 'media', 'a')]) {
      // When the shop runs as root, the user of PostgreSQL may pass through the folder, and may not list it.
      expect(modeOf(folder) & (process.getuid?.() === 0 ? 0o066 : 0o077)).toBe(0)
    }
  })

  it('changes no file of others, and no target of a link', () => {
    const foreign = put('holiday.jpg', 0o644)
    const linked = put('elsewhere/picture.svg', 0o644)
    mkdirSync(join(dataDir, 'media'))
    symlinkSync(linked, join(dataDir, 'media', 'picture.svg'))
    makeFolderPrivate(dataDir)
    expect([foreign, linked].map(modeOf)).toEqual([0o644, 0o644])
  })

  it('does not change a folder that all users share', () => {
    chmodSync(dataDir, 0o1777)
    const secrets = put('secrets.json', 0o644)
    makeFolderPrivate(dataDir)
    expect([modeOf(dataDir), modeOf(secrets)]).toEqual([0o1777, 0o600])
  })
})

describe('withPrivateFiles', () => {
  it('creates files for their owner only while it runs, and as usual afterwards', () => {
    const inside = withPrivateFiles(() => {
      writeFileSync(join(dataDir, 'inside'), '')
      return join(dataDir, 'inside')
    })
    expect(modeOf(inside)).toBe(0o600)
    expect(() =>
      withPrivateFiles(() => {
        throw new Error('no such program')
      }),
    ).toThrow('no such program')
    writeFileSync(join(dataDir, 'outside'), '')
    expect(modeOf(join(dataDir, 'outside'))).toBe(0o666 & ~process.umask())
  })
})
