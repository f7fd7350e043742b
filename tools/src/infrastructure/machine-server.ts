import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../start-error.ts'
import { stopChild, type RunningChild } from './child-process.ts'
import { freePort } from './free-port.ts'
import { endLeftovers, PortTaken, startOnce, type MachineServerPlan } from './machine-start.ts'
import { describeProcess, readRunFile, rejectWhenInUse, writeRunFile } from './run-file.ts'
import type { RunningServer } from './running-server.ts'

const stopTimeoutMs = 30_000
const retryMs = { least: 200, most: 10_000 }

/** Runs a server as a process of this machine while this process lives, and restarts it when it ends unexpectedly. */
export async function runOnMachine(plan: MachineServerPlan): Promise<RunningServer> {
  const { name, title, dataDir, print } = plan
  const before = readRunFile(dataDir, name)
  rejectWhenInUse(dataDir, before)
  await endLeftovers(plan)

  let child: RunningChild | undefined
  let isWanted = true
  let recovery: Promise<void> | undefined

  const begin = async (port: number): Promise<void> => {
    const begun = await startOnce(plan, port)
    child = begun
    const launcher = describeProcess(process.pid)
    writeRunFile(dataDir, name, { kind: 'machine', port, server: describeProcess(begun.pid), launcher })
    void begun.ended.then((how) => {
      if (isWanted && child === begun) recovery = recover(how)
    })
  }
  const recover = async (how: string): Promise<void> => {
    print(`${title} ended (${how}): restarting it.`)
    for (let waitMs = retryMs.least; isWanted; waitMs = Math.min(waitMs * 2, retryMs.most)) {
      try {
        await begin(port)
        return
      } catch (error) {
        print(messageOf(error))
      }
      await sleep(waitMs, undefined, { ref: false })
    }
  }
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    isWanted = false
    await recovery
    if (child) await stopChild(child, signal, stopTimeoutMs)
    writeRunFile(dataDir, name, { kind: 'machine', port })
  }

  const port = await beginOnSomePort(before?.port, begin)
  return {
    url: plan.urlFor(port),
    source: plan.source,
    get pid() {
      return child === undefined || child.hasEnded() ? undefined : child.pid
    },
    stop: () => end(plan.stopSignal),
    kill: () => end('SIGKILL'),
    async start() {
      if (isWanted) return
      await endLeftovers(plan)
      isWanted = true
      await begin(port)
    },
  }
}

// Another process may have taken the port before the server could: then another port is tried.
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
