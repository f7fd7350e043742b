import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf, StartError } from '../start-error.ts'
import { startChild, stopChild, stopLeftover } from './child-process.ts'
import type { Command, RunningChild, StopSignal } from './child-process.ts'
import { lastLines, logSize } from './log-file.ts'
import { describeProcess, readRunFile, type ServerName } from './run-file.ts'
import { untilResponding } from './wait-until.ts'

export interface MachineServerPlan {
  name: ServerName
  title: string
  dataDir: string
  source: string
  stopSignal: StopSignal
  print: (line: string) => void
  urlFor(port: number): string
  /** Called before every start: may write the configuration for that port. */
  commandFor(port: number): Command
  /** Rejects while the server does not respond yet; with a StartError when waiting is useless. */
  check(url: string): Promise<void>
  /** A process named in the server's own files, for when the run file is missing. */
  leftoverPid?(): number | undefined
}

export class PortTaken extends StartError {}

const startTimeoutMs = 60_000 // PostgreSQL may have a crash to recover from.

/** The processes of a killed PostgreSQL end only after a moment. */
class StillInUse extends StartError {}

/** Starts the server's process and waits until it responds. @throws StartError, or PortTaken */
export async function startOnce(plan: MachineServerPlan, port: number): Promise<RunningChild> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tryToStart(plan, port)
    } catch (error) {
      if (!(error instanceof StillInUse) || attempt === 20) throw error
      await sleep(250)
    }
  }
}

async function tryToStart(plan: MachineServerPlan, port: number): Promise<RunningChild> {
  const logPath = join(plan.dataDir, 'logs', `${plan.name}.log`)
  const command = plan.commandFor(port)
  const loggedBefore = logSize(logPath)
  const child = await startChild(command, logPath, plan.stopSignal).catch((error: unknown): never => {
    throw new StartError(`${plan.title} could not be started from ${command.file}: ${messageOf(error)}.`)
  })
  const fault = await untilResponding(() => plan.check(plan.urlFor(port)), {
    timeoutMs: startTimeoutMs,
    isOver: () => child.hasEnded(),
  })
  if (child.hasEnded()) {
    const tail = lastLines(logPath, 5, loggedBefore)
    if (/address already in use/i.test(tail.join('\n'))) throw new PortTaken(`${plan.title}: port ${port} is in use.`)
    const reason = tail.at(-1) ?? (await child.ended)
    const sentence = `${plan.title} ended while it started (${reason}): see ${logPath}, or start again with npm start -- --reset, which deletes the data of the shop.`
    throw /still in use/.test(tail.join('\n')) ? new StillInUse(sentence) : new StartError(sentence)
  }
  if (fault === undefined) return child
  await stopChild(child, plan.stopSignal, 5_000)
  if (fault instanceof StartError) throw fault
  throw new StartError(
    `${plan.title} did not respond within ${startTimeoutMs / 1000} s (${messageOf(fault)}): see ${logPath}.`,
  )
}

/** Ends processes that an earlier run of this data folder left running. */
export async function endLeftovers(plan: MachineServerPlan): Promise<void> {
  const recorded = readRunFile(plan.dataDir, plan.name)?.server
  const named = plan.leftoverPid?.()
  for (const leftover of [recorded, named === undefined ? undefined : describeProcess(named)]) {
    if (leftover === undefined || (await stopLeftover(leftover.pid, leftover.identity, plan.stopSignal))) continue
    throw new StartError(
      `${plan.title} of an earlier run (process ${leftover.pid}) does not end: end it, then start again.`,
    )
  }
}
