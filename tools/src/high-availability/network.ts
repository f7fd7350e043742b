import { execFileSync } from 'node:child_process'
import type { Command } from '../infrastructure/child-process.ts'
import { StartError } from '../start-error.ts'

export const MACHINE_NAMES = ['machine-1', 'machine-2', 'machine-3'] as const
export type MachineName = (typeof MACHINE_NAMES)[number]

/** The order in which the programs of a machine try servers: requests stay on it while its own is there. */
export function ownFirst(machine: MachineName): MachineName[] {
  return [machine, ...MACHINE_NAMES.filter((name) => name !== machine)]
}

/** What a machine that is cut off can no longer do. */
export type Cut = 'send' | 'receive' | 'both'

/** The network of the three machines. */
export interface Network {
  /** The address of this computer in the network, at which the machines reach what runs outside them. */
  hostAddress: string
  addressOf(machine: MachineName): string
  /** @returns the command that runs the program on the machine */
  on(machine: MachineName, command: Command): Command
  /** Cuts a machine off from all others. Undefined where machines have no network of their own. */
  cutOff: ((machine: MachineName, cut: Cut) => void) | undefined
  /** Connects a machine again that was cut off. */
  reconnect(machine: MachineName): void
  remove(): void
}

const HOST_NUMBER = 254
const SWITCH = 'storefront-switch'
const HOST_PORT = 'storefront-host'
const BRIDGE = 'bridge'
const PORT_NAMES = { 'machine-1': 'machine1', 'machine-2': 'machine2', 'machine-3': 'machine3' } as const

/**
 * Creates the network: as root on Linux each machine has a network namespace, connected by a switch in one of its own,
 * where the firewall of this computer does not reach; elsewhere each has an address of the loopback interface, and
 * cannot be cut off.
 * @throws StartError when programs of another shop run in these namespaces
 */
export function createNetwork(): Network {
  rejectNamespacesInUse()
  removeNamespaces()
  try {
    createNamespaces()
  } catch {
    removeNamespaces()
    return loopbackNetwork()
  }
  return {
    hostAddress: address(HOST_NUMBER),
    addressOf: (machine) => address(numberOf(machine)),
    on: inNamespace,
    cutOff,
    reconnect: (machine) => setPort(machine, { cannotSend: false, cannotReceive: false }),
    remove: removeNamespaces,
  }
}

function loopbackNetwork(): Network {
  return {
    hostAddress: '127.0.0.1',
    addressOf: (machine) => `127.77.0.${numberOf(machine)}`,
    on: (_machine, command) => command,
    cutOff: undefined,
    reconnect: () => {},
    remove: () => {},
  }
}

function createNamespaces(): void {
  ip('netns', 'add', SWITCH)
  inSwitch('link', 'add', BRIDGE, 'type', 'bridge')
  inSwitch('link', 'set', 'dev', BRIDGE, 'up')
  ip('link', 'add', HOST_PORT, 'type', 'veth', 'peer', 'name', 'host', 'netns', SWITCH)
  ip('address', 'add', `${address(HOST_NUMBER)}/24`, 'dev', HOST_PORT)
  ip('link', 'set', 'dev', HOST_PORT, 'up')
  inSwitch('link', 'set', 'dev', 'host', 'master', BRIDGE, 'up')
  for (const machine of MACHINE_NAMES) {
    const namespace = namespaceOf(machine)
    const port = PORT_NAMES[machine]
    ip('netns', 'add', namespace)
    ip('-n', namespace, 'link', 'add', 'eth0', 'type', 'veth', 'peer', 'name', port, 'netns', SWITCH)
    ip('-n', namespace, 'address', 'add', `${address(numberOf(machine))}/24`, 'dev', 'eth0')
    for (const device of ['lo', 'eth0']) ip('-n', namespace, 'link', 'set', 'dev', device, 'up')
    inSwitch('link', 'set', 'dev', port, 'master', BRIDGE, 'up')
  }
}

function rejectNamespacesInUse(): void {
  for (const machine of MACHINE_NAMES) {
    const pids = runIfThere('ip', ['netns', 'pids', namespaceOf(machine)])
      .split('\n')
      .filter((pid) => pid !== '')
    if (pids.length === 0) continue
    throw new StartError(
      `Another shop runs on the machines of this computer (process ${pids[0]}): stop it first, or end its processes.`,
    )
  }
}

function removeNamespaces(): void {
  for (const namespace of [...MACHINE_NAMES.map(namespaceOf), SWITCH]) runIfThere('ip', ['netns', 'delete', namespace])
  runIfThere('ip', ['link', 'delete', HOST_PORT])
}

/** The user is changed by the same program, because entering a namespace needs root. */
function inNamespace(machine: MachineName, { uid, gid, ...command }: Command): Command {
  const user = [...(uid === undefined ? [] : [`--setuid=${uid}`]), ...(gid === undefined ? [] : [`--setgid=${gid}`])]
  return {
    ...command,
    file: '/usr/bin/nsenter',
    args: [`--net=/run/netns/${namespaceOf(machine)}`, ...user, '--', command.file, ...command.args],
  }
}

function cutOff(machine: MachineName, cut: Cut): void {
  setPort(machine, { cannotSend: cut !== 'receive', cannotReceive: cut !== 'send' })
}

/**
 * The switch drops frames from a locked port, and passes frames for unknown addresses to no port without flooding.
 * Unlike with a pulled cable, the machine does not notice.
 */
function setPort(
  machine: MachineName,
  { cannotSend, cannotReceive }: Record<'cannotSend' | 'cannotReceive', boolean>,
): void {
  const port = PORT_NAMES[machine]
  const flood = cannotReceive ? 'off' : 'on'
  const locked = ['locked', cannotSend ? 'on' : 'off', 'learning', cannotSend || cannotReceive ? 'off' : 'on']
  bridge('link', 'set', 'dev', port, ...locked, 'flood', flood, 'mcast_flood', flood, 'bcast_flood', flood)
  if (!cannotSend && !cannotReceive) return
  const { hardware } =
    /link\/ether (?<hardware>[\da-f:]+)/.exec(ip('-n', namespaceOf(machine), 'link', 'show', 'dev', 'eth0'))?.groups ??
    {}
  // Absent when the switch has not learned it yet.
  if (hardware !== undefined) runIfThere('bridge', ['-n', SWITCH, 'fdb', 'delete', hardware, 'dev', port, 'master'])
}

function address(number: number): string {
  return `10.77.0.${number}`
}

function numberOf(machine: MachineName): number {
  return MACHINE_NAMES.indexOf(machine) + 1
}

function namespaceOf(machine: MachineName): string {
  return `storefront-${machine}`
}

function inSwitch(...args: string[]): string {
  return ip('-n', SWITCH, ...args)
}

function ip(...args: string[]): string {
  return run('ip', args)
}

function bridge(...args: string[]): string {
  return run('bridge', ['-n', SWITCH, ...args])
}

function run(program: string, args: string[]): string {
  const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' }
  return execFileSync(program, args, { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'pipe'] })
}

/** @returns what the program prints; nothing when the program or its subject does not exist */
function runIfThere(program: string, args: string[]): string {
  try {
    return run(program, args)
  } catch {
    return ''
  }
}
