import { chmodSync, lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { tightenFolder, withPrivateFiles } from './files.ts'

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

describe('tightenFolder', () => {
  it('leaves no right to anybody else on what the shop made, and runs programs as before', () => {
    const files = [
      put('secrets.json', 0o644),
      put('mail/one.eml', 0o666),
      put('media/a/b.svg', 0o640),
      put('packages/redis/bin/redis-server', 0o755),
    ]
    chmodSync(dataDir, 0o755)
    chmodSync(join(dataDir, 'media'), 0o777)
    tightenFolder(dataDir)
    expect(files.map(modeOf)).toEqual([0o600, 0o600, 0o600, 0o700])
    for (const folder of [dataDir, join(dataDir, 'media'), join(dataDir, 'media', 'a')]) {
      // As root PostgreSQL's user may pass through, and list nothing.
      expect(modeOf(folder) & (process.getuid?.() === 0 ? 0o066 : 0o077)).toBe(0)
    }
  })

  it('touches nothing that the shop did not make, nor what a link leads to', () => {
    const foreign = put('holiday.jpg', 0o644)
    const linked = put('elsewhere/picture.svg', 0o644)
    mkdirSync(join(dataDir, 'media'))
    symlinkSync(linked, join(dataDir, 'media', 'picture.svg'))
    tightenFolder(dataDir)
    expect([foreign, linked].map(modeOf)).toEqual([0o644, 0o644])
  })

  it('leaves a folder that all users share as it is', () => {
    chmodSync(dataDir, 0o1777)
    const secrets = put('secrets.json', 0o644)
    tightenFolder(dataDir)
    expect([modeOf(dataDir), modeOf(secrets)]).toEqual([0o1777, 0o600])
  })
})

describe('withPrivateFiles', () => {
  it('makes files for their owner alone while it runs, and as before afterwards', () => {
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
