import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { waitFor } from '@storefront/tools/testing'
import { repository } from '../repository/source-files.ts'
import { exitOf, listenTo, must, run, type Ended } from './run.ts'
import { makeSystem, type SystemName } from './systems.ts'

/** An ordinary user, without sudo. */
export const USER = 'shopper'
export type UserName = 'root' | typeof USER

/** A system in namespaces of its own: no other process sees its files, processes and ports. */
export interface Machine {
  /** The path of the fresh checkout inside the system. */
  checkout: string
  /** Runs a command line in the checkout. */
  run(as: UserName, commands: string): Promise<Ended>
  /** Starts a command that keeps running; a SIGINT to its process group is its Ctrl-C. */
  start(as: UserName, commands: string): { child: ChildProcess; output: () => string }
  /** Runs a command line of the host, which has curl, in the network of this machine. */
  runOnItsNetwork(commands: string): Promise<Ended>
  /** Starts a server that holds the port. */
  takePort(port: number): Promise<void>
  /** The command lines of all its processes. */
  processes(): Promise<string[]>
  close(): Promise<void>
}

// The files of the base system do not change: writes go to a folder that is deleted. PostgreSQL needs /dev/shm.
const BOOT = `
set -e
mount --make-rprivate /
mount -t overlay overlay -o "lowerdir=$1,upperdir=$2/upper,workdir=$2/work" "$2/root"
mount -t proc proc "$2/root/proc"
mkdir -p "$2/root/dev/shm" && mount -t tmpfs -o mode=1777 tmpfs "$2/root/dev/shm"
echo booted
exec chroot "$2/root" /bin/sh -c 'while :; do sleep 3600 & wait $!; done'
`

/** Starts a system with the Node of this machine and a copy of the committed repository, and with nothing else. */
export async function openMachine(name: SystemName, as: UserName): Promise<Machine> {
  const { pid, close } = await boot(await makeSystem(name))
  const checkout = `${homeOf(as)}/storefront`
  const helpers: ChildProcess[] = []
  const closeAll = async (): Promise<void> => {
    for (const child of helpers) child.kill('SIGKILL')
    await close()
  }
  const enter = (user: UserName, commands: string): [string, string[]] => {
    const become = user === 'root' ? [] : ['runuser', '-u', user, '--']
    const shell = ['env', '-i', `HOME=${homeOf(user)}`, ...environment(), ...become, 'sh', '-c', commands]
    const namespaces = ['--mount', '--net', '--pid', '--ipc', '--uts', '--root', '--wd']
    return ['nsenter', ['--target', String(pid), ...namespaces, ...shell]]
  }
  const enterNetwork = (...command: string[]): [string, string[]] => [
    'nsenter',
    [`--net=/proc/${pid}/ns/net`, ...command],
  ]
  try {
    helpers.push(spawn('setpriv', [...DIE_TOGETHER, 'slirp4netns', ...NETWORK, String(pid), 'tap0']))
    await waitFor('its network', async () => (await run(...enterNetwork('ip', 'route'))).output.includes('default'))
    await furnish(`/proc/${pid}/root`, as)
    await copyRepository(`/proc/${pid}/root${checkout}`)
    if (as !== 'root') await must(...enter('root', `chown -R ${as} ${homeOf(as)}`))
  } catch (error) {
    await closeAll()
    throw error
  }
  return {
    checkout,
    run: (user, commands) => run(...enter(user, `cd ${checkout} && ${commands}`)),
    start(user, commands) {
      const [file, args] = enter(user, `cd ${checkout} && ${commands}`)
      const child = spawn(file, args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
      helpers.push(child)
      return { child, output: listenTo(child) }
    },
    runOnItsNetwork: (commands) => run(...enterNetwork('bash', '-euo', 'pipefail', '-c', commands)),
    async takePort(port) {
      const script = `require('node:net').createServer().listen(${port}, () => console.log('taken'))`
      const child = spawn(...enterNetwork(process.execPath, '-e', script))
      helpers.push(child)
      const output = listenTo(child)
      await waitFor(`port ${port}`, () => output().includes('taken'))
    },
    async processes() {
      const lines = (await must(...enter('root', LIST_PROCESSES))).split('\n')
      return lines.filter((line) => line.trim() !== '' && !line.startsWith('postgres: '))
    },
    close: closeAll,
  }
}

/** A bare system has no ps. A zombie has no command line; workers of PostgreSQL start and end at any time. */
const LIST_PROCESSES = `for file in /proc/[0-9]*/cmdline; do case $file in /proc/$$/*) ;; *) tr '\\0' ' ' < $file 2> /dev/null; echo ;; esac; done`
const DIE_TOGETHER = ['--pdeathsig', 'KILL']
const NETWORK = ['--configure', '--disable-host-loopback', '--mtu=65520']

/** @returns the first process of the machine, and how to end it with all others and its files */
async function boot(system: string): Promise<{ pid: number; close: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'storefront-machine-'))
  for (const part of ['upper', 'work', 'root']) mkdirSync(join(folder, part))
  const namespaces = ['--fork', '--kill-child', '--pid', '--mount', '--net', '--ipc', '--uts']
  const command = ['unshare', ...namespaces, 'sh', '-c', BOOT, 'sh', system, folder]
  const parent = spawn('setpriv', [...DIE_TOGETHER, ...command])
  const output = listenTo(parent)
  await waitFor('the machine', () => output().includes('booted') || parent.exitCode !== null)
  const close = async (): Promise<void> => {
    if (parent.exitCode === null && parent.signalCode === null) {
      const ended = exitOf(parent)
      parent.kill('SIGKILL') // This ends its child, and with it all processes of the namespaces.
      await ended
    }
    rmSync(folder, { recursive: true, force: true })
  }
  const pid = Number(readFileSync(`/proc/${parent.pid}/task/${parent.pid}/children`, 'utf8').trim())
  if (Number.isSafeInteger(pid) && pid > 1) return { pid, close }
  await close()
  throw new Error(`no machine could be started: ${output()}`)
}

function homeOf(user: UserName): string {
  return user === 'root' ? '/root' : `/home/${user}`
}

const PATH = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
/** The network settings of this machine, which the system inside needs too. */
const NETWORK_VARIABLES = [
  'NODE_EXTRA_CA_CERTS',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
]

function environment(): string[] {
  const network = NETWORK_VARIABLES.flatMap((name) => (process.env[name] ? [`${name}=${process.env[name]}`] : []))
  return [PATH, 'NO_COLOR=1', ...network]
}

/** Installs what a reader of the README has: Node, npm and its settings, certificates, a user, and a resolver. */
async function furnish(root: string, as: UserName): Promise<void> {
  if (as !== 'root') await must('chroot', [root, 'useradd', '--create-home', '--shell', '/bin/bash', as])
  const { node, npm } = systemNode()
  cpSync(node, join(root, 'usr/local/bin/node'))
  cpSync(npm, join(root, 'usr/local/lib/node_modules/npm'), { recursive: true })
  for (const name of ['npm', 'npx']) {
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(root, 'usr/local/bin', name))
  }
  const home = as === 'root' ? 'root' : join('home', as)
  const settings = ['user', 'global'].map((level) => npmSetting(`${level}config`)).filter(existsSync)
  const text = settings.map((file) => readFileSync(file, 'utf8')).join('\n')
  writeFileSync(join(root, home, '.npmrc'), text, { mode: 0o600 })
  for (const file of [npmSetting('cafile'), process.env['NODE_EXTRA_CA_CERTS'] ?? '']) copyInto(root, file)
  rmSync(join(root, 'etc/resolv.conf'), { force: true })
  writeFileSync(join(root, 'etc/resolv.conf'), 'nameserver 10.0.2.3\n') // slirp4netns forwards to the host
  cpSync('/etc/hosts', join(root, 'etc/hosts'))
}

function copyInto(root: string, file: string): void {
  if (!file.startsWith('/') || !existsSync(file)) return
  mkdirSync(dirname(join(root, file)), { recursive: true })
  cpSync(realpathSync(file), join(root, file))
}

/** The Node that runs npm here, not the one in node_modules. */
function systemNode(): { node: string; npm: string } {
  const npm = dirname(dirname(realpathSync(process.env['npm_execpath'] ?? onPath('npm'))))
  return { node: realpathSync(process.env['npm_node_execpath'] ?? onPath('node')), npm }
}

function onPath(program: string): string {
  const folders = (process.env['PATH'] ?? '').split(':').filter((folder) => !folder.includes('node_modules'))
  const found = folders.map((folder) => join(folder, program)).find(existsSync)
  if (found === undefined) throw new Error(`there is no ${program} on PATH`)
  return found
}

function npmSetting(name: string): string {
  return execFileSync(onPath('npm'), ['config', 'get', name], { encoding: 'utf8', cwd: repository }).trim()
}

async function copyRepository(target: string): Promise<void> {
  mkdirSync(target, { recursive: true })
  await must('bash', [
    '-euo',
    'pipefail',
    '-c',
    `git -C "$0" archive HEAD | tar --extract --directory="$1"`,
    repository,
    target,
  ])
}
