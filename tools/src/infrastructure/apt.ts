import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { messageOf } from '../start-error.ts'

const run = promisify(execFile)

/** An archive of packages other than this system's. */
export interface Archive {
  /** For messages, such as `Debian 13's package archive`. */
  title: string
  /** The end of the names of folders. */
  suffix: string
  /** A line of a sources.list. */
  source: string
}

export interface FetchOptions {
  cacheDir: string
  /** The package is fetched from it without its dependencies, because their libraries would not run on this system. */
  archive?: Archive
  env: NodeJS.ProcessEnv
  print: (line: string) => void
  signal?: AbortSignal
}

interface FreshLists {
  folder: string
  users: number
  /** Resolves with the errors of apt, which continues when one of several sources is unreachable. */
  aptErrors: Promise<string>
}

/** By the folder of packages and the archive. */
const freshLists = new Map<string, FreshLists>()

/**
 * Downloads package lists into a temporary folder, which concurrent callers share, and deletes it after the last of
 * them.
 */
export async function withFreshLists(
  options: FetchOptions,
  use: (aptOptions: string[], aptErrors: string) => Promise<void>,
): Promise<void> {
  const { cacheDir, archive } = options
  const key = `${cacheDir}\n${archive?.source ?? ''}`
  const lists =
    freshLists.get(key) ?? updateLists(`${resolve(cacheDir)}/apt.${randomBytes(6).toString('hex')}`, options)
  freshLists.set(key, lists)
  lists.users += 1
  try {
    await use(listOptions(lists.folder, archive), await lists.aptErrors)
  } finally {
    lists.users -= 1
    if (lists.users === 0) {
      freshLists.delete(key)
      rmSync(lists.folder, { recursive: true, force: true })
    }
  }
}

function updateLists(folder: string, options: FetchOptions): FreshLists {
  const { archive } = options
  for (const place of ['lists/partial', 'cache/archives/partial']) mkdirSync(join(folder, place), { recursive: true })
  if (archive) writeFileSync(sourcesIn(folder), `${archive.source}\n`)
  const aptErrors = runApt(['update'], listOptions(folder, archive), options).then(({ stderr }) => stderr, messageOf)
  return { folder, users: 0, aptErrors }
}

function listOptions(folder: string, archive: Archive | undefined): string[] {
  const lists = [`Dir::State::lists=${join(folder, 'lists')}`, `Dir::Cache=${join(folder, 'cache')}`]
  return archive ? [...lists, `Dir::Etc::sourcelist=${sourcesIn(folder)}`, 'Dir::Etc::sourceparts=/dev/null'] : lists
}

function sourcesIn(folder: string): string {
  return join(folder, 'sources.list')
}

/**
 * Downloads a package: alone from another archive, with its dependencies from that of this system.
 * @param folder receives the packages
 * @throws Error with the output of apt
 */
export async function downloadPackage(
  name: string,
  folder: string,
  aptOptions: string[],
  options: FetchOptions,
): Promise<void> {
  const packages = options.archive ? [name] : await planOf(name, folder, aptOptions, options)
  await runApt(['download', ...packages], aptOptions, options, folder)
}

/**
 * The package and its dependencies, without those that every system of this distribution has. Other packages are
 * downloaded even if they are installed here: packages contain links to each other, which must lie in the same tree.
 */
async function planOf(name: string, folder: string, aptOptions: string[], options: FetchOptions): Promise<string[]> {
  const status = join(folder, 'base-system')
  writeFileSync(status, await baseSystem())
  try {
    const { stdout: plan } = await runApt(
      ['install', '--simulate', '--no-install-recommends', name],
      // Without its cache in memory apt would mix up the packages of this system with those of the base system.
      [...aptOptions, `Dir::State::status=${status}`, 'Dir::Cache::pkgcache='],
      options,
    )
    // A line with the version in brackets would upgrade the base system: a second C library would crash every program.
    const packages = [...plan.matchAll(/^Inst (\S+) \(/gm)].map(([, entry]) => entry ?? '')
    if (!packages.includes(name)) throw new Error(`the archive has no ${name}`)
    return packages
  } finally {
    rmSync(status, { force: true })
  }
}

const FIELDS = [
  'db:Status-Status',
  'Essential',
  'Priority',
  'Package',
  'Architecture',
  'Multi-Arch',
  'Version',
  'Provides',
]

/**
 * The installed packages that every system of this distribution has, in the format of dpkg's status file. Without their
 * dependencies, because apt is not to check them.
 */
async function baseSystem(): Promise<string> {
  const format = `${FIELDS.map((field) => `\${${field}}`).join('\t')}\n`
  const { stdout } = await run('/usr/bin/dpkg-query', ['--show', `--showformat=${format}`], { maxBuffer: 50_000_000 })
  return stdout
    .split('\n')
    .map((line) => line.split('\t'))
    .filter(
      ([state, essential, priority, name]) =>
        state === 'installed' && (essential === 'yes' || priority === 'required' || name === 'libc6'),
    )
    .map(stanzaOf)
    .join('\n')
}

function stanzaOf([, , , name, architecture, multiArch, version, provides]: string[]): string {
  const fields = Object.entries({
    Package: name,
    Status: 'install ok installed',
    Architecture: architecture,
    'Multi-Arch': multiArch,
    Version: version,
    Provides: provides,
  })
  return fields.flatMap(([field, value]) => (value ? [`${field}: ${value}\n`] : [])).join('')
}

async function runApt(
  args: string[],
  aptOptions: string[],
  { env, signal }: FetchOptions,
  cwd = '/',
): Promise<{ stdout: string; stderr: string }> {
  const options = [
    'APT::Sandbox::User=root', // As root, apt would change to the user _apt, who may not write into this folder.
    'Acquire::http::Timeout=15',
    'Acquire::https::Timeout=15',
    'Acquire::Retries=2',
    ...aptOptions,
  ].flatMap((option) => ['-o', option])
  return run('/usr/bin/apt-get', ['-q', ...options, ...args], {
    cwd,
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', ...env, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' },
    timeout: 180_000,
    ...(signal && { signal }),
    maxBuffer: 50_000_000,
  })
}
