import { join } from 'node:path'
import { messageOf, StartError } from '../start-error.ts'
import { startChild, stopChild, stopLeftover } from './child-process.ts'
import type { Command, RunningChild, StopSignal } from './child-process.ts'
import { freePort } from './free-port.ts'
import { lastLines, logSize } from './log-file.ts'
import { describeProcess, readRunFile, refuseWhenInUse, writeRunFile } from './run-file.ts'
import type { ServerName } from './run-file.ts'
import type { RunningServer } from './running-server.ts'
import { waitUntil } from './wait-until.ts'

export interface MachineServerPlan {
  name: ServerName
  title: string
  dataDir: string
  source: string
  stopSignal: StopSignal
  urlFor(port: number): string
  /** Called before every start: may write the configuration for that port. */
  commandFor(port: number): Command
  /** Rejects while the server does not answer yet. */
  check(url: string): Promise<void>
  /** A process the server's own files name, for when our notes are gone. */
  leftoverPid?(): number | undefined
}

const startTimeoutMs = 60_000 // PostgreSQL may have a crash to recover from.
const stopTimeoutMs = 30_000

/** Runs a server of this machine for the time this process lives. */
export async function runOnMachine(plan: MachineServerPlan): Promise<RunningServer> {
  const { name, dataDir } = plan
  const before = readRunFile(dataDir, name)
  refuseWhenInUse(dataDir, before)
  await endLeftovers(plan)

  let child: RunningChild | undefined
  const begin = async (port: number): Promise<void> => {
    child = await startOnce(plan, port)
    writeRunFile(dataDir, name, {
      kind: 'machine',
      port,
      server: describeProcess(child.pid),
      launcher: describeProcess(process.pid),
    })
  }

  const port = await beginOnSomePort(before?.port, begin)
  const forget = (): void => writeRunFile(dataDir, name, { kind: 'machine', port })
  return {
    url: plan.urlFor(port),
    source: plan.source,
    get pid() {
      return child === undefined || child.hasEnded() ? undefined : child.pid
    },
    async stop() {
      if (child) await stopChild(child, plan.stopSignal, stopTimeoutMs)
      forget()
    },
    async start() {
      if (child === undefined || child.hasEnded()) {
        await endLeftovers(plan)
        await begin(port)
      }
    },
    async kill() {
      if (child) await stopChild(child, 'SIGKILL', stopTimeoutMs)
      forget()
    },
  }
}

class PortTaken extends Error {}

// Between finding a port free and the server taking it somebody else may have: then the next one.
async function beginOnSomePort(preferred: number | undefined, begin: (port: number) => Promise<void>): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort(attempt === 1 ? preferred : undefined)
    try {
      await begin(port)
      return port
    } catch (error) {
      if (!(error instanceof PortTaken) || attempt === 5) throw error
    }
  }
}

async function startOnce(plan: MachineServerPlan, port: number): Promise<RunningChild> {
  const logPath = join(plan.dataDir, 'logs', `${plan.name}.log`)
  const command = plan.commandFor(port)
  const loggedBefore = logSize(logPath)
  const child = await startChild(command, logPath, plan.stopSignal).catch((error: unknown): never => {
    throw new StartError(`${plan.title} could not be started from ${command.file}: ${messageOf(error)}.`)
  })
  let complaint = ''
  const answers = async (): Promise<boolean> => {
    if (child.hasEnded()) return true
    return plan.check(plan.urlFor(port)).then(
      () => true,
      (error: unknown) => {
        complaint = messageOf(error)
        return false
      },
    )
  }
  const isUp = await waitUntil(answers, { timeoutMs: startTimeoutMs })
  if (isUp && !child.hasEnded()) return child
  const tail = lastLines(logPath, 5, loggedBefore)
  if (child.hasEnded()) {
    if (/address already in use/i.test(tail.join('\n'))) throw new PortTaken(`port ${port} is taken`)
    const reason = tail.at(-1) ?? (await child.ended)
    throw new StartError(`${plan.title} ended while it started (${reason}): see ${logPath}, or start afresh with --reset.`)
  }
  await stopChild(child, plan.stopSignal, 5_000)
  throw new StartError(`${plan.title} did not answer within ${startTimeoutMs / 1000} s (${complaint}): see ${logPath}.`)
}

async function endLeftovers(plan: MachineServerPlan): Promise<void> {
  const noted = readRunFile(plan.dataDir, plan.name)?.server
  const named = plan.leftoverPid?.()
  for (const leftover of [noted, named === undefined ? undefined : describeProcess(named)]) {
    if (leftover === undefined || (await stopLeftover(leftover.pid, leftover.identity, plan.stopSignal))) continue
    throw new StartError(`${plan.title} of an earlier run (process ${leftover.pid}) does not end: end it, then start again.`)
  }
}
