import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { must } from './run.ts'

interface System {
  family: 'debian' | 'ubuntu'
  suite: string
}

/** The systems on which `npm start` is tested. */
const SYSTEMS = {
  'Debian 12': { family: 'debian', suite: 'bookworm' },
  'Debian 13': { family: 'debian', suite: 'trixie' },
  'Ubuntu 22.04': { family: 'ubuntu', suite: 'jammy' },
  'Ubuntu 24.04': { family: 'ubuntu', suite: 'noble' },
} as const satisfies Record<string, System>

export type SystemName = keyof typeof SYSTEMS

/** These use https, because a machine of one family rarely has the archive keys of the other. */
const PUBLIC_MIRRORS = { debian: 'https://deb.debian.org/debian', ubuntu: 'https://archive.ubuntu.com/ubuntu' }
const COMPONENTS = { debian: 'main', ubuntu: 'main,universe' }
/** All versions of a family share one script, and an older debootstrap lacks the names of later versions. */
const SCRIPTS = { debian: 'sid', ubuntu: 'gutsy' }

const NEEDED = ['debootstrap', 'slirp4netns', 'unshare', 'nsenter', 'setpriv', 'git', 'curl', 'bash']

/** @returns why no system can be made on this machine; undefined when it can */
export function whyNoSystems(): string | undefined {
  if (process.platform !== 'linux') return 'It needs Linux.'
  if (process.getuid?.() !== 0) return 'It needs root, to make systems to start in.'
  const missing = NEEDED.filter((program) => !isOnPath(program))
  return missing.length > 0 ? `Install ${missing.join(', ')}.` : undefined
}

function isOnPath(program: string): boolean {
  const folders = (process.env['PATH'] ?? '').split(':')
  return folders.some((folder) => existsSync(join(folder, program)))
}

/**
 * Makes the smallest installation of a system (debootstrap's minbase), once for all runs on this machine. DEBIAN_MIRROR
 * and UBUNTU_MIRROR name the archives; otherwise they are those of this machine's apt, or the public ones.
 * @returns its folder, which nothing may change
 */
export async function makeSystem(name: SystemName): Promise<string> {
  const { family, suite } = SYSTEMS[name]
  const mirror = process.env[`${family.toUpperCase()}_MIRROR`] || ownMirror(family) || PUBLIC_MIRRORS[family]
  const folders = join(tmpdir(), 'storefront-systems')
  const folder = join(folders, suite)
  if (existsSync(folder)) return folder
  mkdirSync(join(folders, 'cache'), { recursive: true, mode: 0o700 })
  const part = `${folder}.${process.pid}.part`
  try {
    const options = ['--variant=minbase', `--components=${COMPONENTS[family]}`, `--cache-dir=${join(folders, 'cache')}`]
    const script = `/usr/share/debootstrap/scripts/${SCRIPTS[family]}`
    await must('debootstrap', [...options, suite, part, mirror, script])
    writeFileSync(join(part, 'etc/apt/sources.list'), sourcesOf({ family, suite }, mirror))
    writeFileSync(join(part, 'etc/apt/apt.conf.d/90-this-machine'), ownNetworkSettings())
    renameSync(part, folder)
    return folder
  } finally {
    rmSync(part, { recursive: true, force: true })
  }
}

/** A bare system has no certificates for https yet; apt verifies the signatures of packages in any case. */
function sourcesOf({ family, suite }: System, mirror: string): string {
  const components = COMPONENTS[family].replaceAll(',', ' ')
  return `deb ${mirror.replace('https:', 'http:')} ${suite} ${components}\n`
}

/** The archive of that family from which the apt of this machine reads. */
function ownMirror(family: System['family']): string | undefined {
  const list = runApt('apt-get', 'indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages')
  return list.find((address) => new RegExp(`^https?:.*/${family}/?$`).test(address))?.replace(/\/$/, '')
}

/** The proxies and date checks of the apt of this machine. */
function ownNetworkSettings(): string {
  const settings = runApt('apt-config', 'dump').filter((line) => /^Acquire::(Check-|https?::(Proxy|CaInfo))/.test(line))
  return settings.map((line) => `${line}\n`).join('')
}

function runApt(program: string, ...args: string[]): string[] {
  return isOnPath(program) ? execFileSync(program, args, { encoding: 'utf8' }).split('\n') : []
}
