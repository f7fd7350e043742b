import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { makeFolder, writeFileAtomically } from '../files.ts'
import type { Command } from '../infrastructure/child-process.ts'
import type { EngineProgram } from './find-programs.ts'
import { MACHINE_NAMES, type MachineName, type Network } from './network.ts'
import { PORTS, SERVICE_PORTS } from './ports.ts'

const deployed = resolve(import.meta.dirname, '../../../deploy')
const frontTemplate = join(deployed, 'compose/haproxy.cfg')

/** The command of the HAProxy of a machine, through which its services reach PostgreSQL: that of the deployments. */
export function databaseBalancerCommand(program: EngineProgram, machine: MachineName, network: Network): Command {
  const nodes = MACHINE_NAMES.map((name, index) => [`POSTGRES_${index + 1}`, network.addressOf(name)])
  const command = haproxyCommand(program, join(deployed, 'high-availability/haproxy.cfg'))
  return {
    ...command,
    env: {
      ...command.env,
      LISTEN_HOST: network.addressOf(machine),
      PRIMARY_PORT: String(PORTS.postgresPrimary),
      STANDBY_PORT: String(PORTS.postgresStandby),
      METRICS_PORT: String(PORTS.haproxyHealth),
      ...Object.fromEntries(nodes),
    },
  }
}

/**
 * The command of the HAProxy at the one address of the shop: that of docker compose, with the gateways of the three
 * machines.
 */
export function frontCommand(
  program: EngineProgram,
  { network, folder, port, healthPort }: { network: Network; folder: string; port: number; healthPort: number },
): Command {
  const servers = MACHINE_NAMES.map((name) => `    server ${name} ${network.addressOf(name)}:${SERVICE_PORTS.gateway}`)
  const text = readFileSync(frontTemplate, 'utf8')
    .replaceAll(/^ {4}server-template .*$/gm, servers.join('\n'))
    .replace(/^# Docker's own DNS[\s\S]*?\n\n/m, '')
    .replace('bind :8080', `bind :${port}`)
    .replace('bind :9464', `bind 127.0.0.1:${healthPort}`)
  const file = join(folder, 'front', 'haproxy.cfg')
  makeFolder(join(folder, 'front'))
  writeFileAtomically(file, text)
  const command = haproxyCommand(program, file)
  return { ...command, env: { ...command.env, EDGE_SCHEME: 'http', PUBLIC_BASE_PATH: '' } }
}

function haproxyCommand(program: EngineProgram, file: string): Command {
  return { ...program, args: [...program.args, '-W', '-db', '-f', file] }
}
