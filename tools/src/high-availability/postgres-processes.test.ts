import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../testing/index.ts'
import { postgresProcesses } from './postgres-processes.ts'

test.skipIf(process.platform !== 'linux')(
  'the processes of a server are found while it runs, and no process that has got its id',
  async () => {
    const dataDir = await temporaryFolder('storefront-processes')
    const cluster = join(dataDir, 'postgres', 'data')
    const lock = join(cluster, 'postmaster.pid')
    await mkdir(cluster, { recursive: true })
    expect(postgresProcesses(cluster)).toEqual([])
    // The command of a server names its folder. This one ends its child, and then itself, at the end of its input.
    const server = spawn('sh', ['-c', 'sleep 600 & echo $!; read line; kill $!', lock])
    const [child] = await once(server.stdout, 'data')
    await writeFile(lock, `${server.pid}\n${cluster}\n`)
    expect(postgresProcesses(cluster)).toEqual([server.pid, Number(child)])
    const ended = once(server, 'exit')
    server.stdin.end()
    await ended
    expect(postgresProcesses(cluster)).toEqual([])
    const other = spawn('sleep', ['600'], { stdio: 'ignore' })
    await once(other, 'spawn')
    await writeFile(lock, `${other.pid}\n${cluster}\n`)
    expect(postgresProcesses(cluster)).toEqual([])
    other.kill()
    await rm(dataDir, { recursive: true })
  },
)
