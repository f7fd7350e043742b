import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder, writeFileAtomically } from '../files.ts'
import type { Command } from '../infrastructure/child-process.ts'
import type { EngineProgram } from './find-programs.ts'
import { ownFirst } from './nats-node.ts'
import { MACHINE_NAMES, type MachineName, type Network } from './network.ts'
import { PORTS } from './ports.ts'

/** What the sentinels call the Redis that accepts writes. */
export const REDIS_NAME = 'shop'

interface RedisPlace {
  machine: MachineName
  network: Network
  /** The folder of the machine. */
  folder: string
  password: string
}

/** The command of a machine's Redis: at first that of the first machine accepts writes, later the one the sentinels chose. */
export function redisCommand(program: EngineProgram, { machine, network, folder, password }: RedisPlace): Command {
  const [first] = MACHINE_NAMES
  const data = join(folder, 'redis')
  makeFolder(data)
  const file = writeOnce(join(data, 'redis.conf'), [
    `bind ${network.addressOf(machine)}`,
    `port ${PORTS.redis}`,
    `dir "${data}"`,
    'daemonize no',
    'appendonly yes',
    'save ""',
    'hash-max-listpack-value 1024',
    `requirepass ${password}`,
    `masterauth ${password}`,
    'repl-ping-replica-period 1',
    'repl-timeout 5',
    // One that is cut off stops accepting writes, which would be lost when it comes back.
    'min-replicas-to-write 1',
    'min-replicas-max-lag 3',
    ...(machine === first ? [] : [`replicaof ${network.addressOf(first)} ${PORTS.redis}`]),
  ])
  return { ...program, args: [...program.args, file] }
}

/** The command of a machine's sentinel, which watches Redis and chooses another one with the other sentinels. */
export function sentinelCommand(program: EngineProgram, { machine, network, folder, password }: RedisPlace): Command {
  const data = join(folder, 'sentinel')
  makeFolder(data)
  const own = network.addressOf(machine)
  const file = writeOnce(join(data, 'sentinel.conf'), [
    `bind ${own}`,
    `port ${PORTS.sentinel}`,
    `dir "${data}"`,
    'daemonize no',
    `requirepass ${password}`,
    `sentinel sentinel-pass ${password}`,
    `sentinel announce-ip ${own}`,
    `sentinel monitor ${REDIS_NAME} ${network.addressOf(MACHINE_NAMES[0])} ${PORTS.redis} 2`,
    `sentinel auth-pass ${REDIS_NAME} ${password}`,
    `sentinel down-after-milliseconds ${REDIS_NAME} 1500`,
    `sentinel failover-timeout ${REDIS_NAME} 6000`,
    `sentinel parallel-syncs ${REDIS_NAME} 2`,
  ])
  return { ...program, args: [...program.args, file, '--sentinel'] }
}

/** The address at which the services of a machine find Redis. */
export function redisUrl(machine: MachineName, network: Network, password: string): string {
  const sentinels = ownFirst(machine).map((name) => `${network.addressOf(name)}:${PORTS.sentinel}`)
  return `redis-sentinel://:${encodeURIComponent(password)}@${sentinels.join(',')}/0#${REDIS_NAME}`
}

/** Redis and its sentinel change their files themselves when another Redis begins to accept writes. */
function writeOnce(file: string, lines: string[]): string {
  if (!existsSync(file)) writeFileAtomically(file, `${lines.join('\n')}\n`)
  return file
}
