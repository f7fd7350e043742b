import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { makeFolder, writeFileAtomically } from '../files.ts'
import type { Command } from '../infrastructure/child-process.ts'
import { natsClusterSecrets } from '../infrastructure/cluster-secrets.ts'
import type { NatsUser } from '../infrastructure/nats-configuration.ts'
import type { EngineProgram } from './find-programs.ts'
import { MACHINE_NAMES, type MachineName, type Network, ownFirst } from './network.ts'
import { PORTS } from './ports.ts'

interface NatsNodeOptions {
  machine: MachineName
  network: Network
  folder: string
  users: NatsUser[]
  clusterPassword: string
}

const deployed = resolve(import.meta.dirname, '../../../deploy/high-availability/nats.conf')

/** The command of a machine's NATS, one of a cluster of three, with the configuration of the deployments. */
export function natsCommand(program: EngineProgram, options: NatsNodeOptions): Command {
  const { machine, network, users, clusterPassword } = options
  const folder = join(options.folder, 'nats')
  const file = join(folder, 'nats.conf')
  const own = network.addressOf(machine)
  const routes = MACHINE_NAMES.map((name) => `${network.addressOf(name)}:${PORTS.natsCluster}`)
  makeFolder(join(folder, 'secrets'))
  // It includes the other file from the folder beside it.
  writeFileAtomically(file, readFileSync(deployed, 'utf8'))
  writeFileAtomically(
    join(folder, 'secrets/cluster.conf'),
    natsClusterSecrets({ users, password: clusterPassword, routes }),
  )
  return {
    ...program,
    args: [...program.args, '-c', file],
    env: {
      ...program.env,
      NATS_NAME: machine,
      NATS_CLIENT_LISTEN: `${own}:${PORTS.nats}`,
      NATS_CLUSTER_LISTEN: `${own}:${PORTS.natsCluster}`,
      NATS_MONITOR_LISTEN: `${own}:${PORTS.natsMonitor}`,
      NATS_STORE_DIR: folder,
    },
  }
}

/** The address of the cluster for a user: its own machine first, so that requests stay on it. */
export function natsUrl(machine: MachineName, network: Network, { name, password }: NatsUser): string {
  return ownFirst(machine)
    .map((each) => `nats://${name}:${encodeURIComponent(password)}@${network.addressOf(each)}:${PORTS.nats}`)
    .join(',')
}
