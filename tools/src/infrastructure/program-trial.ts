import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

export type Version = [major: number, minor: number]

/**
 * The result of running a program with the option that prints its version. `busy` says nothing about the program: the
 * machine was too slow, or had no memory or process left for it.
 */
interface ProgramTrial {
  outcome: 'ran' | 'busy' | 'broken'
  version?: Version | undefined
}

interface TrialOptions {
  /** Folders of libraries, separated by colons; '' for those of the system. */
  libraryPath: string
  /** The option that prints the version; `--version` by default. */
  versionOption?: string
  /** 10 s by default. */
  timeoutMs?: number
}

/** @returns whether the program runs, and the version that it prints */
export async function tryProgram(
  file: string,
  { libraryPath, versionOption = '--version', timeoutMs = 10_000 }: TrialOptions,
): Promise<ProgramTrial> {
  try {
    const { stdout } = await run(file, [versionOption], {
      env: { LD_LIBRARY_PATH: libraryPath },
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    })
    const [, major, minor] = /\bv=?(\d+)\.(\d+)/.exec(stdout) ?? []
    return { outcome: 'ran', version: major === undefined ? undefined : [Number(major), Number(minor)] }
  } catch (error) {
    return { outcome: isDamage(error) ? 'broken' : 'busy' }
  }
}

const FILE_FAULTS = new Set<unknown>(['ENOENT', 'ENOEXEC', 'EACCES', 'ENOTDIR', 'ELOOP'])
const CRASHES = new Set<unknown>(['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGABRT', 'SIGTRAP', 'SIGSYS'])

/** Whether the program itself failed. Otherwise it was killed by the timeout, or by a system without memory. */
function isDamage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? error.code : undefined
  const signal = 'signal' in error ? error.signal : undefined
  return typeof code === 'number' || FILE_FAULTS.has(code) || CRASHES.has(signal)
}
