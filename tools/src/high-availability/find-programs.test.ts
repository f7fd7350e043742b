import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findNewerNats } from './find-programs.ts'

test('the NATS of an upgrade is one with a higher version than the present one', async ({ onTestFinished }) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'storefront-newer-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const program = async (name: string, version: string) => {
    const file = join(dataDir, name)
    await writeFile(file, `#!/bin/sh\necho 'nats-server: v${version}'\n`)
    await chmod(file, 0o755)
    return file
  }
  const present = await program('present', '2.10.27')
  const newer = await program('nats-server', '2.12.1')
  const printed: string[] = []
  const print = (line: string) => void printed.push(line)
  const options = { dataDir, cacheDir: dataDir, env: { PATH: dataDir }, print }
  expect(await findNewerNats({ file: present }, options)).toMatchObject({ file: newer, args: [] })
  expect(printed).toEqual(['NATS is upgraded from 2.10 to 2.12 and back.'])
})
