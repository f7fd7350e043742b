import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { makeFolder, writeFileAtomically } from '../files.ts'
import type { Command } from '../infrastructure/child-process.ts'
import type { EngineProgram } from './find-programs.ts'
import { MACHINE_NAMES, type MachineName, type Network } from './network.ts'
import { PORTS, SERVICE_PORTS } from './ports.ts'

const frontTemplate = resolve(import.meta.dirname, '../../../deploy/compose/haproxy.cfg')

/**
 * The command of the HAProxy of a machine, through which its services reach PostgreSQL. Patroni's own answer decides who
 * is the primary; connections to one that no longer is are closed, so that no client goes on with it.
 */
export function databaseBalancerCommand(
  program: EngineProgram,
  { machine, network, folder }: { machine: MachineName; network: Network; folder: string },
): Command {
  const own = network.addressOf(machine)
  const servers = MACHINE_NAMES.map(
    (name) => `    server ${name} ${network.addressOf(name)}:${PORTS.postgres} check port ${PORTS.patroni}`,
  )
  const backend = (name: string, port: number, path: string): string[] => [
    `listen ${name}`,
    `    bind ${own}:${port}`,
    `    option httpchk OPTIONS ${path}`,
    '    http-check expect status 200',
    ...servers,
    '',
  ]
  const lines = [
    'global',
    '    maxconn 2000',
    'defaults',
    '    mode tcp',
    '    timeout connect 1s',
    '    timeout check 1s',
    '    timeout client 30m',
    '    timeout server 30m',
    '    option clitcpka',
    '    option srvtcpka',
    '    default-server inter 1s fastinter 300ms fall 2 rise 1 on-marked-down shutdown-sessions',
    '',
    ...backend('primary', PORTS.postgresPrimary, '/primary'),
    ...backend('standby', PORTS.postgresStandby, '/replica'),
    'frontend health',
    `    bind ${own}:${PORTS.haproxyHealth}`,
    '    mode http',
    '    monitor-uri /healthz',
  ]
  return haproxyCommand(program, join(folder, 'haproxy'), lines.join('\n'))
}

/** The command of the HAProxy at the one address of the shop: that of docker compose, with the gateways of the three machines. */
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
  const command = haproxyCommand(program, join(folder, 'front'), text)
  return { ...command, env: { ...command.env, EDGE_SCHEME: 'http', PUBLIC_BASE_PATH: '' } }
}

function haproxyCommand(program: EngineProgram, folder: string, configuration: string): Command {
  const file = join(folder, 'haproxy.cfg')
  makeFolder(folder)
  writeFileAtomically(file, `${configuration}\n`)
  return { ...program, args: [...program.args, '-W', '-db', '-f', file] }
}
