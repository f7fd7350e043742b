import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../testing/index.ts'
import { endPostmasters } from './end-postmasters.ts'

test.skipIf(process.platform !== 'linux')(
  'the servers that the machines have recorded are ended, and no process that has got the id of one',
  async () => {
    const dataDir = await temporaryFolder('storefront-postmasters')
    // The command of a server names its folder.
    const begin = async (machine: string, server: 'of the machine' | 'of another') => {
      const cluster = join(dataDir, machine, 'postgres', 'data')
      const file = join(cluster, 'postmaster.pid')
      await mkdir(cluster, { recursive: true })
      await writeFile(file, '')
      const followed = server === 'of the machine' ? file : '/dev/null'
      const child = spawn('tail', ['-f', followed], { cwd: dataDir, stdio: 'ignore' })
      await once(child, 'spawn')
      await writeFile(file, `${child.pid}\n${cluster}\n`)
      return { child, ended: once(child, 'exit') }
    }
    const other = await begin('machine-1', 'of another')
    const servers = [await begin('machine-2', 'of the machine'), await begin('machine-3', 'of the machine')]
    endPostmasters(dataDir)
    for (const { ended } of servers) expect(await ended).toEqual([null, 'SIGQUIT'])
    other.child.kill('SIGTERM')
    expect(await other.ended).toEqual([null, 'SIGTERM'])
    await rm(dataDir, { recursive: true })
  },
)
