import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { makeFolder, writeFileAtomically } from '../files.ts'
import type { Command } from '../infrastructure/child-process.ts'
import type { EngineProgram } from './find-programs.ts'
import { MACHINE_NAMES, type MachineName, type Network, ownFirst } from './network.ts'
import { PORTS } from './ports.ts'

const deployed = resolve(import.meta.dirname, '../../../deploy/high-availability')

/** What the sentinels call the Redis that accepts writes. */
export const REDIS_NAME = 'shop'

interface RedisOptions {
  machine: MachineName
  network: Network
  folder: string
  password: string
}

/**
 * The command of a machine's Redis: at first that of the first machine accepts writes, later the one the sentinels
 * chose.
 */
export function redisCommand(program: EngineProgram, { machine, network, folder, password }: RedisOptions): Command {
  const [first] = MACHINE_NAMES
  const data = join(folder, 'redis')
  makeFolder(data)
  const file = join(data, 'redis.conf')
  const lines = [
    `bind ${network.addressOf(machine)}`,
    `port ${PORTS.redis}`,
    `dir "${data}"`,
    'daemonize no',
    'appendonly yes',
    'save ""',
    'hash-max-listpack-value 1024',
    `requirepass ${password}`,
    `masterauth ${password}`,
    `include "${deployed}/redis.conf"`,
    storedRole(file) ?? (machine === first ? '' : `replicaof ${network.addressOf(first)} ${PORTS.redis}`),
  ]
  writeFileAtomically(file, `${lines.join('\n')}\n`)
  return { ...program, args: [...program.args, file] }
}

/** The command of a machine's sentinel, which watches Redis and chooses another one with the other sentinels. */
export function sentinelCommand(program: EngineProgram, { machine, network, folder, password }: RedisOptions): Command {
  const data = join(folder, 'sentinel')
  makeFolder(data)
  const own = network.addressOf(machine)
  const file = join(data, 'sentinel.conf')
  const include = `include "${deployed}/sentinel.conf"`
  const lines = [
    include,
    `bind ${own}`,
    `dir "${data}"`,
    'daemonize no',
    `requirepass ${password}`,
    `sentinel announce-ip ${own}`,
    `sentinel monitor ${REDIS_NAME} ${network.addressOf(MACHINE_NAMES[0])} ${PORTS.redis} 2`,
    `sentinel auth-pass ${REDIS_NAME} ${password}`,
  ]
  // What it has learned is in its file. The folder of the deployments may have moved since.
  const known = existsSync(file) ? readFileSync(file, 'utf8').replace(/^include .*$/m, include) : lines.join('\n')
  writeFileAtomically(file, `${known.trimEnd()}\n`)
  return { ...program, args: [...program.args, file, '--sentinel'] }
}

/** The address at which the services of a machine find Redis. */
export function redisUrl(machine: MachineName, network: Network, password: string): string {
  const sentinels = ownFirst(machine).map((name) => `${network.addressOf(name)}:${PORTS.sentinel}`)
  return `redis-sentinel://:${encodeURIComponent(password)}@${sentinels.join(',')}/0#${REDIS_NAME}`
}

/** The line in which the sentinels had Redis store its role. @returns undefined before the first start */
function storedRole(file: string): string | undefined {
  if (!existsSync(file)) return undefined
  return /^replicaof .*$/m.exec(readFileSync(file, 'utf8'))?.[0] ?? ''
}
