import { waitFor } from '@storefront/tools/testing'
import {
  missingReplicas,
  moveRedisPrimary,
  PORTS,
  postgresPrimary,
  redisPrimary,
} from '@storefront/tools/high-availability'
import type { EngineProgram, Machine, PostgresPrograms, RunningCluster } from '@storefront/tools/high-availability'

const nothing = async (): Promise<void> => {}
const WAIT_MS = 60_000

/** Upgrades PostgreSQL to a newer minor version, and at the end back. Without one it restarts the same version. */
export async function switchPostgres(cluster: RunningCluster): Promise<() => Promise<void>> {
  const { postgres, newerPostgres } = cluster.engines
  await switchPostgresTo(cluster, newerPostgres ?? postgres)
  return newerPostgres ? () => switchPostgresTo(cluster, postgres) : nothing
}

/** Restarts the standbys, makes one of them the primary, and restarts the old one. */
async function switchPostgresTo(cluster: RunningCluster, programs: PostgresPrograms): Promise<void> {
  const primary = await postgresPrimary(cluster)
  if (!primary) throw new Error('PostgreSQL has no primary')
  for (const machine of Object.values(cluster.machines)) {
    if (machine !== primary) await machine.restartPostgres(programs)
    await untilWhole(cluster)
  }
  await requestSwitchover(cluster, primary)
  await untilWhole(cluster)
  await primary.restartPostgres(programs)
  await untilWhole(cluster)
}

/** Upgrades one NATS after the other, and at the end back. Without a newer one it restarts the same version. */
export async function switchNats(cluster: RunningCluster): Promise<() => Promise<void>> {
  const { nats, newerNats } = cluster.engines
  await restartEachNats(cluster, newerNats ?? nats)
  return newerNats ? () => restartEachNats(cluster, nats) : nothing
}

async function restartEachNats(cluster: RunningCluster, program: EngineProgram): Promise<void> {
  for (const machine of Object.values(cluster.machines)) {
    await machine.restartNats(program)
    await untilWhole(cluster)
  }
}

/** Restarts the replicas, has the sentinels choose one of them, and restarts the old primary. */
export async function switchRedis(cluster: RunningCluster): Promise<() => Promise<void>> {
  const before = await redisPrimary(cluster)
  if (!before) throw new Error('Redis has no primary')
  for (const machine of Object.values(cluster.machines)) {
    if (machine !== before) await machine.engines.redis.restart()
    await untilWhole(cluster)
  }
  await waitFor('another Redis primary', () => failOver(cluster, before), WAIT_MS)
  await untilWhole(cluster)
  await before.engines.redis.restart()
  await untilWhole(cluster)
  return nothing
}

/** @returns whether the sentinels know another primary; requests one otherwise */
async function failOver(cluster: RunningCluster, before: Machine): Promise<boolean> {
  const primary = await redisPrimary(cluster)
  if (primary !== undefined && primary !== before) return true
  await moveRedisPrimary(cluster)
  return false
}

/** Runs the migrate step of this version, and restarts every service on every machine with it, one after the other. */
export async function restartServices(cluster: RunningCluster): Promise<() => Promise<void>> {
  await cluster.migrate()
  for (const machine of Object.values(cluster.machines)) {
    for (const [name, service] of machine.services) {
      await machine.restartService(name, cluster.programs)
      await service.waitReady(WAIT_MS)
    }
  }
  return nothing
}

async function untilWhole(cluster: RunningCluster): Promise<void> {
  await waitFor('all replicas', async () => (await missingReplicas(cluster)).length === 0, WAIT_MS)
}

async function requestSwitchover({ patroniPassword }: RunningCluster, { name, address }: Machine): Promise<void> {
  const authorization = `Basic ${Buffer.from(`patroni:${patroniPassword}`).toString('base64')}`
  const response = await fetch(`http://${address}:${PORTS.patroni}/switchover`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ leader: name }),
    signal: AbortSignal.timeout(WAIT_MS),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`Patroni rejected a switchover with ${response.status}: ${text}`)
}
