import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { messageOf } from '../start-error.ts'

const run = promisify(execFile)

export interface FetchOptions {
  cacheDir: string
  env: NodeJS.ProcessEnv
  say: (line: string) => void
  signal?: AbortSignal
}

interface FreshLists {
  folder: string
  users: number
  /** Resolves with what apt complained about: one dead source among several is no reason to stop. */
  complaint: Promise<string>
}

const freshLists = new Map<string, FreshLists>()

/** Reads package lists into a folder of our own, once for all who want them at the same time, and deletes it after the last. */
export async function withFreshLists(
  options: FetchOptions,
  use: (aptOptions: string[], complaint: string) => Promise<void>,
): Promise<void> {
  const { cacheDir } = options
  const lists =
    freshLists.get(cacheDir) ?? updateLists(`${resolve(cacheDir)}/apt.${randomBytes(6).toString('hex')}`, options)
  freshLists.set(cacheDir, lists)
  lists.users += 1
  try {
    await use(listOptions(lists.folder), await lists.complaint)
  } finally {
    lists.users -= 1
    if (lists.users === 0) {
      freshLists.delete(cacheDir)
      rmSync(lists.folder, { recursive: true, force: true })
    }
  }
}

function updateLists(folder: string, options: FetchOptions): FreshLists {
  for (const place of ['lists/partial', 'cache/archives/partial']) mkdirSync(join(folder, place), { recursive: true })
  const complaint = runApt(['update'], listOptions(folder), options).then(({ stderr }) => stderr, messageOf)
  return { folder, users: 0, complaint }
}

function listOptions(folder: string): string[] {
  return [`Dir::State::lists=${join(folder, 'lists')}`, `Dir::Cache=${join(folder, 'cache')}`]
}

export async function runApt(
  args: string[],
  aptOptions: string[],
  { env, signal }: FetchOptions,
  cwd = '/',
): Promise<{ stdout: string; stderr: string }> {
  const options = [
    'APT::Sandbox::User=root', // As root apt would become user _apt, who may not write into our folder.
    'Acquire::http::Timeout=15',
    'Acquire::https::Timeout=15',
    'Acquire::Retries=2',
    ...aptOptions,
  ].flatMap((option) => ['-o', option])
  return run('apt-get', ['-q', ...options, ...args], {
    cwd,
    env: { ...env, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' },
    timeout: 180_000,
    ...(signal && { signal }),
    maxBuffer: 50_000_000,
  })
}
