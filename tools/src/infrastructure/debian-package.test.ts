import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { fetchDebianPackage } from './debian-package.ts'

const cacheDir = mkdtempSync(join(tmpdir(), 'storefront-debian-package-'))
const folder = join(cacheDir, 'nats-server', 'usr', 'sbin')

afterAll(() => rmSync(cacheDir, { recursive: true, force: true }))

function placeProgram(script: string): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'nats-server'), script)
  chmodSync(join(folder, 'nats-server'), 0o755)
}

it('takes what an earlier start unpacked, without a word and without the network', async () => {
  placeProgram('#!/bin/sh\necho nats-server: v2.10.0')
  const said: string[] = []
  const found = await fetchDebianPackage('nats-server', { cacheDir, env: {}, say: (line) => said.push(line) })
  expect(found).toMatchObject({ file: join(folder, 'nats-server') })
  expect(said).toEqual([])
})

it.skipIf(!existsSync('/usr/bin/apt-get'))(
  'says in one line why a package cannot be had, and leaves nothing half-made',
  async () => {
    placeProgram('#!/bin/sh\nexit 127')
    const env = { PATH: process.env['PATH'], APT_CONFIG: join(cacheDir, 'apt.conf') }
    writeFileSync(
      env.APT_CONFIG,
      'Dir::Etc::SourceList "/dev/null"; Dir::Etc::SourceParts "/dev/null"; Dir::State::Lists "/dev/null";',
    )
    const found = await fetchDebianPackage('nats-server', { cacheDir, env, say: () => {} })
    expect(found).toEqual({ fault: expect.stringMatching(/^fetching its Debian package failed: .*nats-server$/) })
    expect(existsSync(join(cacheDir, 'nats-server'))).toBe(false)
  },
)
