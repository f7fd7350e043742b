import { setTimeout } from 'node:timers/promises'
import {
  etcdLeader,
  moveEtcdLeader,
  moveNatsLeader,
  moveRedisPrimary,
  natsLeader,
  postgresPrimary,
  redisPrimary,
  synchronousStandby,
} from '@storefront/tools/high-availability'
import type { Cut, Machine, RunningCluster } from '@storefront/tools/high-availability'
import { restartServices, switchNats, switchPostgres, switchRedis } from './rolling-upgrades.ts'

export interface Fault {
  name: string
  /** The longest time without a successful checkout that it may cause, in seconds. */
  targetSeconds: number
  /** Whether a machine is cut off, which needs machines with a network of their own. */
  cutsOff?: boolean
  /** Finds the machine on which a client keeps writing to the PostgreSQL there meanwhile. */
  writesOn?: Find
  /** @returns repairs what it damaged, after some time */
  begin: (cluster: RunningCluster) => Promise<() => Promise<void>>
}

const POSTGRES_SECONDS = 10
const OTHERS_SECONDS = 3
const ATTEMPTS_TO_MOVE = 40
const PAUSE_MS = 500

type Find = (cluster: RunningCluster) => Promise<Machine | undefined>

const natsAwayFromPostgres: Find = (cluster) => awayFromPostgres(cluster, natsLeader, moveNatsLeader)
const etcdAwayFromPostgres: Find = (cluster) => awayFromPostgres(cluster, etcdLeader, moveEtcdLeader)
const redisAwayFromPostgres: Find = (cluster) => awayFromPostgres(cluster, redisPrimary, moveRedisPrimary)

/** What can happen to a machine or to an engine, and what its operators do to it. */
export const FAULTS: readonly Fault[] = [
  {
    name: 'PostgreSQL primary killed',
    targetSeconds: POSTGRES_SECONDS,
    begin: async (cluster) => {
      found(await postgresPrimary(cluster), 'PostgreSQL').killPostgres()
      return async () => {} // Patroni starts it again.
    },
  },
  cutOffPrimary('PostgreSQL primary cut off', 'both'),
  cutOffPrimary('PostgreSQL primary cannot send', 'send'),
  cutOffPrimary('PostgreSQL primary cannot receive', 'receive'),
  // Commits wait until Patroni has given up the standby and named another one, for which it needs etcd.
  cutOff('Synchronous standby cut off', synchronousStandby, 'both', POSTGRES_SECONDS),
  cutOff('etcd leader cut off', etcdAwayFromPostgres, 'both', POSTGRES_SECONDS),
  kill('NATS leader killed', 'nats', natsLeader),
  cutOff('NATS leader cut off', natsAwayFromPostgres, 'both', OTHERS_SECONDS),
  cutOff('NATS leader cannot send', natsAwayFromPostgres, 'send', OTHERS_SECONDS),
  cutOff('NATS leader cannot receive', natsAwayFromPostgres, 'receive', OTHERS_SECONDS),
  kill('Redis primary killed', 'redis', redisPrimary),
  cutOff('Redis primary cut off', redisAwayFromPostgres, 'both', OTHERS_SECONDS),
  cutOff('Redis primary cannot send', redisAwayFromPostgres, 'send', OTHERS_SECONDS),
  cutOff('Redis primary cannot receive', redisAwayFromPostgres, 'receive', OTHERS_SECONDS),
  kill('etcd minority lost', 'etcd', etcdLeader),
  {
    name: 'A whole machine lost',
    targetSeconds: POSTGRES_SECONDS,
    begin: async (cluster) => {
      const machine = found(await postgresPrimary(cluster), 'PostgreSQL')
      await machine.lose()
      return () => machine.start()
    },
  },
  { name: 'PostgreSQL upgraded by a switchover', targetSeconds: POSTGRES_SECONDS, begin: switchPostgres },
  { name: 'NATS upgraded one by one', targetSeconds: OTHERS_SECONDS, begin: switchNats },
  { name: 'Redis restarted one by one', targetSeconds: OTHERS_SECONDS, begin: switchRedis },
  { name: 'Our services upgraded one by one', targetSeconds: OTHERS_SECONDS, begin: restartServices },
]

function cutOff(name: string, find: Find, cut: Cut, targetSeconds: number): Fault {
  return {
    name,
    targetSeconds,
    cutsOff: true,
    begin: async (cluster) => {
      const machine = found(await find(cluster), name)
      cluster.network.cutOff?.(machine.name, cut)
      return async () => cluster.network.reconnect(machine.name)
    },
  }
}

function cutOffPrimary(name: string, cut: Cut): Fault {
  return { ...cutOff(name, postgresPrimary, cut, POSTGRES_SECONDS), writesOn: postgresPrimary }
}

function kill(name: string, engine: 'etcd' | 'nats' | 'redis', find: Find): Fault {
  return {
    name,
    targetSeconds: OTHERS_SECONDS,
    begin: async (cluster) => {
      const process = found(await find(cluster), name).engines[engine]
      await process.stop('SIGKILL')
      return () => process.start()
    },
  }
}

/** What leads, moved to a machine without the PostgreSQL primary: the loss of that one is another row. */
async function awayFromPostgres(
  cluster: RunningCluster,
  find: Find,
  move: (cluster: RunningCluster) => Promise<void>,
): Promise<Machine | undefined> {
  for (let attempt = 1; attempt <= ATTEMPTS_TO_MOVE; attempt++) {
    const [leader, primary] = [await find(cluster), await postgresPrimary(cluster)]
    if (leader !== undefined && leader !== primary) return leader
    if (leader !== undefined) await move(cluster)
    await setTimeout(PAUSE_MS) // An election takes a while on busy processors.
  }
  return undefined
}

function found(machine: Machine | undefined, what: string): Machine {
  if (!machine) throw new Error(`${what}: its machine was not found`)
  return machine
}
