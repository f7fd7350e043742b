import { resolve } from 'node:path'
import { startNats, type RunningNats } from './nats.ts'
import type { NatsUser } from './nats-configuration.ts'
import { startPostgres } from './postgres.ts'
import { startRedis } from './redis.ts'
import type { RunningServer, ServerOptions } from './running-server.ts'

export { startNats, startPostgres, startRedis }
export { natsClusterSecrets, patroniSecrets } from './cluster-secrets.ts'
export { StartError } from '../start-error.ts'
export { startChild, stopChild } from './child-process.ts'
export { fetchDebianPackage } from './debian-package.ts'
export { freePort } from './free-port.ts'
export { findProgram } from './program.ts'
export { serverOfEnvironment } from './running-server.ts'
export { withNats } from './with-nats.ts'
export type { NatsUser, RunningNats, RunningServer, ServerOptions }

export interface InfrastructureOptions extends ServerOptions {
  users: NatsUser[]
  settings?: { postgres: Record<string, string> }
}

export interface Infrastructure {
  postgres: RunningServer
  redis: RunningServer
  nats: RunningNats
  /** NATS, then Redis, then PostgreSQL. */
  stop(): Promise<void>
}

/** Starts the three servers in parallel. When one of them fails to start, stops the others. */
export async function startInfrastructure(options: InfrastructureOptions): Promise<Infrastructure> {
  const { settings, users, ...rest } = options
  const common = { ...rest, dataDir: resolve(options.dataDir) }
  const starts = await Promise.allSettled([
    startPostgres({ ...common, ...(settings && { settings: settings.postgres }) }),
    startRedis(common),
    startNats({ ...common, users }),
  ])
  const [postgres, redis, nats] = starts
  if (postgres.status === 'fulfilled' && redis.status === 'fulfilled' && nats.status === 'fulfilled') {
    const servers = { postgres: postgres.value, redis: redis.value, nats: nats.value }
    return { ...servers, stop: () => stopInOrder([nats.value, redis.value, postgres.value]) }
  }
  await Promise.all(starts.map(async (start) => start.status === 'fulfilled' && start.value.stop()))
  throw starts.find((start) => start.status === 'rejected')?.reason
}

async function stopInOrder(servers: RunningServer[]): Promise<void> {
  for (const server of servers) await server.stop()
}
