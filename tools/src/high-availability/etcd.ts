import { join } from 'node:path'
import type { Command } from '../infrastructure/child-process.ts'
import type { EngineProgram } from './find-programs.ts'
import { MACHINE_NAMES, type MachineName, type Network } from './network.ts'
import { PORTS } from './ports.ts'

/** The command of a machine's etcd, in which Patroni stores which PostgreSQL is the primary. */
export function etcdCommand(program: EngineProgram, machine: MachineName, network: Network, folder: string): Command {
  const own = network.addressOf(machine)
  const peer = (name: MachineName): string => `http://${network.addressOf(name)}:${PORTS.etcdPeers}`
  const client = `http://${own}:${PORTS.etcd}`
  const options = {
    name: machine,
    'data-dir': join(folder, 'etcd'),
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer(machine),
    'initial-advertise-peer-urls': peer(machine),
    'initial-cluster': MACHINE_NAMES.map((name) => `${name}=${peer(name)}`).join(','),
    'initial-cluster-token': 'storefront',
    // The interface that Patroni uses.
    'enable-v2': 'true',
    // Milliseconds. An election ends within the retry_timeout of Patroni.
    'election-timeout': '500',
    logger: 'zap',
    'log-level': 'warn',
  }
  return {
    ...program,
    args: [...program.args, ...Object.entries(options).map(([name, value]) => `--${name}=${value}`)],
  }
}

/** Whether the etcd is part of a majority. @throws Error when it does not respond */
export async function isEtcdHealthy(address: string): Promise<boolean> {
  const response = await fetch(`http://${address}:${PORTS.etcd}/health`, { signal: AbortSignal.timeout(2_000) })
  return (await response.text()).includes('"true"')
}
