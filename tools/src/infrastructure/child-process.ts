import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { closeSync } from 'node:fs'
import { withPrivateFiles } from '../files.ts'
import { openLog } from './log-file.ts'
import { isAlive } from './process-identity.ts'
import { stopWatchingOver, watchOver } from './guardian.ts'
import { waitUntil } from './wait-until.ts'

export interface Command {
  file: string
  args: string[]
  env: Record<string, string>
  cwd?: string
  uid?: number
  gid?: number
}

export type StopSignal = 'SIGTERM' | 'SIGINT'

export interface RunningChild {
  readonly pid: number
  /** Resolves with how it ended ('exit code 1', 'SIGKILL'), whoever ended it. */
  readonly ended: Promise<string>
  hasEnded(): boolean
  signal(signal: NodeJS.Signals): void
}

/**
 * Starts a process that outlives nothing but does not hear the terminal's Ctrl-C: it leads a group of its own, and we stop
 * things in order. It does not keep this process alive either, so await `ended` only while something else does.
 */
export async function startChild(command: Command, logPath: string, stopSignal: StopSignal): Promise<RunningChild> {
  const log = openLog(logPath)
  try {
    const { file, args, env, cwd = '/', uid, gid } = command
    const owner = { ...(uid !== undefined && { uid }), ...(gid !== undefined && { gid }) }
    return await watch(
      withPrivateFiles(() => spawn(file, args, { env, cwd, detached: true, stdio: ['ignore', log, log], ...owner })),
      stopSignal,
    )
  } finally {
    closeSync(log)
  }
}

const living = new Map<ChildProcess, StopSignal>()

/** Ends everything at once, without order. PostgreSQL still gets to tell its processes. */
export function killAllChildren(): void {
  for (const [child, stopSignal] of living) child.kill(stopSignal === 'SIGINT' ? 'SIGQUIT' : 'SIGKILL')
}

function watch(child: ChildProcess, stopSignal: StopSignal): Promise<RunningChild> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('spawn', () => {
      const { pid } = child
      if (pid === undefined) return reject(new Error(`${child.spawnfile} has no process id`))
      watchOver(pid, stopSignal)
      living.set(child, stopSignal)
      child.unref()
      let isOver = false
      const ended = new Promise<string>((resolveEnded) => {
        child.once('exit', (code, signal) => {
          isOver = true
          living.delete(child)
          stopWatchingOver(pid)
          resolveEnded(signal ?? `exit code ${code}`)
        })
      })
      resolve({ pid, ended, hasEnded: () => isOver, signal: (signal) => void child.kill(signal) })
    })
  })
}

/** Asks it to end, and after the time allowed makes it. */
export async function stopChild(child: RunningChild, signal: NodeJS.Signals, timeoutMs: number): Promise<void> {
  if (child.hasEnded()) return
  child.signal(signal)
  if (await waitUntil(() => child.hasEnded(), { timeoutMs })) return
  child.signal('SIGKILL')
  await waitUntil(() => child.hasEnded(), { timeoutMs: 5_000 })
}

/** Ends a process an earlier run left behind. Answers whether it is gone. */
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
