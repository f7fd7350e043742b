import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync } from 'node:fs'
import { withPrivateFiles } from '../files.ts'
import { openLog, truncateLog } from './log-file.ts'
import { isAlive } from './process-identity.ts'
import { waitUntil } from './wait-until.ts'
import { unwatchProcess, watchProcess } from './watchdog.ts'

export interface Command {
  file: string
  args: string[]
  env: Record<string, string>
  cwd?: string
  uid?: number
  gid?: number
}

export type StopSignal = 'SIGTERM' | 'SIGINT'

/** Otherwise the log of a process that runs for months would fill the disk. */
const logCheckMs = 60_000

export interface RunningChild {
  readonly pid: number
  /** Resolves with the way in which the process ended ('exit code 1', 'SIGKILL'). */
  readonly ended: Promise<string>
  hasEnded(): boolean
  signal(signal: NodeJS.Signals): void
}

/**
 * Starts a process in its own process group, so that it does not receive the terminal's Ctrl-C and the launcher can
 * stop its processes in order. The watchdog ends it if the launcher ends first. It does not keep this process alive:
 * await `ended` only while something else does.
 */
export async function startChild(command: Command, logPath: string, stopSignal: StopSignal): Promise<RunningChild> {
  const log = openLog(logPath)
  try {
    const { file, args, env, cwd = '/', uid, gid } = command
    const owner = { ...(uid !== undefined && { uid }), ...(gid !== undefined && { gid }) }
    return await watch(
      withPrivateFiles(() => spawn(file, args, { env, cwd, detached: true, stdio: ['ignore', log, log], ...owner })),
      stopSignal,
      logPath,
    )
  } finally {
    closeSync(log)
  }
}

const living = new Map<ChildProcess, StopSignal>()

/** Kills all processes at once. PostgreSQL gets SIGQUIT, with which it still ends its own processes. */
export function killAllChildren(): void {
  for (const [child, stopSignal] of living) child.kill(stopSignal === 'SIGINT' ? 'SIGQUIT' : 'SIGKILL')
}

function watch(child: ChildProcess, stopSignal: StopSignal, logPath: string): Promise<RunningChild> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('spawn', () => {
      const { pid } = child
      if (pid === undefined) return reject(new Error(`${child.spawnfile} has no process id`))
      watchProcess(pid, stopSignal)
      living.set(child, stopSignal)
      child.unref()
      const cutting = setInterval(() => truncateLog(logPath), logCheckMs).unref()
      let isOver = false
      const ended = new Promise<string>((resolveEnded) => {
        child.once('exit', (code, signal) => {
          isOver = true
          living.delete(child)
          clearInterval(cutting)
          unwatchProcess(pid)
          resolveEnded(signal ?? `exit code ${code}`)
        })
      })
      resolve({ pid, ended, hasEnded: () => isOver, signal: (signal) => void child.kill(signal) })
    })
  })
}

/** Sends the stop signal, and kills the process when it does not end in time. */
export async function stopChild(child: RunningChild, signal: NodeJS.Signals, timeoutMs: number): Promise<void> {
  if (child.hasEnded()) return
  child.signal(signal)
  if (await waitUntil(() => child.hasEnded(), { timeoutMs })) return
  child.signal('SIGKILL')
  await waitUntil(() => child.hasEnded(), { timeoutMs: 5_000 })
}

/** Ends a process of an earlier run. @returns whether it has ended */
export async function stopLeftover(pid: number, identity: string | undefined, signal: StopSignal): Promise<boolean> {
  const gone = (): boolean => !isAlive(pid, identity)
  for (const [next, timeoutMs] of [
    [signal, 15_000],
    ['SIGKILL', 5_000],
  ] as const) {
    if (gone()) return true
    try {
      process.kill(pid, next)
    } catch {
      return gone()
    }
    if (await waitUntil(gone, { timeoutMs })) return true
  }
  return gone()
}
