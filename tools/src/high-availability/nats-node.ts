import { join } from 'node:path'
import { makeFolder, writeFileAtomically } from '../files.ts'
import type { Command } from '../infrastructure/child-process.ts'
import { natsConfiguration, type NatsUser } from '../infrastructure/nats-configuration.ts'
import type { EngineProgram } from './find-programs.ts'
import { MACHINE_NAMES, type MachineName, type Network } from './network.ts'
import { PORTS } from './ports.ts'

interface NatsPlace {
  machine: MachineName
  network: Network
  /** The folder of the machine. */
  folder: string
  users: NatsUser[]
  clusterPassword: string
}

/** The command of a machine's NATS, one of a cluster of three. */
export function natsCommand(program: EngineProgram, place: NatsPlace): Command {
  const { machine, network, users, clusterPassword } = place
  const folder = join(place.folder, 'nats')
  const file = join(folder, 'nats.conf')
  const own = network.addressOf(machine)
  const base = natsConfiguration({ listen: `${own}:${PORTS.nats}`, storeDir: folder, settings: {}, users })
  const user = 'cluster'
  const configuration = {
    ...JSON.parse(base),
    server_name: machine,
    http: `${own}:${PORTS.natsMonitor}`,
    // A client or server whose machine vanished is noticed after two of these.
    ping_interval: '2s',
    ping_max: 2,
    cluster: {
      name: 'storefront',
      listen: `${own}:${PORTS.natsCluster}`,
      authorization: { user, password: clusterPassword, timeout: 10 },
      routes: MACHINE_NAMES.map(
        (name) => `nats://${user}:${clusterPassword}@${network.addressOf(name)}:${PORTS.natsCluster}`,
      ),
      // Clients know all addresses; those that the cluster reports would be tried in any order.
      no_advertise: true,
    },
  }
  makeFolder(folder)
  writeFileAtomically(file, `${JSON.stringify(configuration, null, 2)}\n`)
  return { ...program, args: [...program.args, '-c', file] }
}

/** The address of the cluster for a user: its own machine first, so that requests stay on it. */
export function natsUrl(machine: MachineName, network: Network, { name, password }: NatsUser): string {
  return ownFirst(machine)
    .map((each) => `nats://${name}:${encodeURIComponent(password)}@${network.addressOf(each)}:${PORTS.nats}`)
    .join(',')
}

export function ownFirst(machine: MachineName): MachineName[] {
  return [machine, ...MACHINE_NAMES.filter((name) => name !== machine)]
}
