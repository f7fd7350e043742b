import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { waitFor } from '@storefront/service/testing'
import { freePort } from '../infrastructure/free-port.ts'
import { findProgram } from '../infrastructure/program.ts'
import { withRedis } from '../infrastructure/with-redis.ts'
import { packageCache } from './global-setup.ts'
import { temporaryFolder } from './temporary-folder.ts'

export type RedisWithSentinels = Awaited<ReturnType<typeof startRedisWithSentinels>>

const TIMEOUT_MS = 2_000

/**
 * Starts two servers, one a replica of the other, and three sentinels that replace the primary after a second.
 * @param options.name what the sentinels call the primary
 * @param options.sentinelPassword whether the sentinels require the password, too
 */
export async function startRedisWithSentinels(options: { password: string; name: string; sentinelPassword: boolean }) {
  const { password, name } = options
  const children = new Map<number, ChildProcess>()
  const folder = await temporaryFolder('storefront-sentinels')
  const { file, libraryPath } = await findProgram(
    { title: 'Redis', name: 'redis-server', alternatives: ['valkey-server'], least: [7, 0] },
    { dataDir: folder, cacheDir: packageCache(), env: process.env, print: () => {} },
  )
  const start = async (lines: string[], more: string[] = []): Promise<number> => {
    const port = await freePort()
    const serverFolder = join(folder, String(port))
    await mkdir(serverFolder)
    const common = ['bind 127.0.0.1', `port ${port}`, `dir "${serverFolder}"`, 'save ""']
    await writeFile(join(serverFolder, 'redis.conf'), [...common, ...lines, ''].join('\n'))
    const env = { LC_ALL: 'C', LD_LIBRARY_PATH: libraryPath }
    children.set(port, spawn(file, [join(serverFolder, 'redis.conf'), ...more], { env, stdio: 'ignore' }))
    return port
  }
  /** Sends one command to a server or a sentinel. @returns nothing when it does not respond */
  const call = (port: number, command: string, ...words: string[]): Promise<string> => {
    const isSentinel = sentinels.includes(port)
    const access = isSentinel && !options.sentinelPassword ? {} : { password }
    const send = withRedis('redis://', { host: '127.0.0.1', port, ...access, timeoutMs: TIMEOUT_MS }, (redis) =>
      redis.call(command, ...words),
    )
    return send.then(String, () => '')
  }
  /** Kills a server or a sentinel. */
  const kill = async (port: number): Promise<void> => {
    const child = children.get(port)
    children.delete(port)
    if (child === undefined) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  const secret = [`requirepass "${password}"`, `masterauth "${password}"`, 'repl-diskless-sync-delay 0']
  const sentinels: number[] = []
  const primary = await start(secret)
  const replica = await start([...secret, `replicaof 127.0.0.1 ${primary}`])
  await waitFor('the replica', async () => (await call(replica, 'INFO')).includes('master_link_status:up'))
  for (let count = 0; count < 3; count++) {
    const lines = [
      ...(options.sentinelPassword ? [`requirepass "${password}"`] : []),
      `sentinel monitor ${name} 127.0.0.1 ${primary} 2`,
      `sentinel auth-pass ${name} "${password}"`,
      `sentinel down-after-milliseconds ${name} 1000`,
      `sentinel failover-timeout ${name} 4000`,
    ]
    sentinels.push(await start(lines, ['--sentinel']))
  }
  const stop = async (): Promise<void> => void (await Promise.all([...children.keys()].map((port) => kill(port))))
  return { primary, replica, sentinels, call, kill, stop }
}
