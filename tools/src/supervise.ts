import { setTimeout as sleep } from 'node:timers/promises'
import { startChild, stopChild, type Command, type RunningChild } from './infrastructure/child-process.ts'
import { logSize, rotateLog } from './infrastructure/log-file.ts'
import { waitUntil } from './infrastructure/wait-until.ts'
import { lastError } from './service-log.ts'
import { messageOf, StartError } from './start-error.ts'

export interface SupervisedService {
  readonly url: string
  pid(): number | undefined
  /**
   * Sends a signal to the process, which is restarted when it ends. With SIGKILL, resolves when the process has ended.
   */
  kill(signal?: NodeJS.Signals): Promise<void>
  /** Stops the service until `start` is called: in an orderly way, or with SIGKILL as if its machine lost power. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>
  /** Resolves when the process runs. `waitReady` waits until it is ready. */
  start(): Promise<void>
  /** @param command what it runs from now on, such as another version; the same as before by default */
  restart(command?: Command): Promise<void>
  /** Rejects at the timeout, or when the service ended three times while starting. */
  waitReady(timeoutMs?: number): Promise<void>
}

export interface Supervision {
  name: string
  url: string
  /** By default it is ready when `/readyz` at its own address responds with 200. */
  isReady?: () => Promise<boolean>
  command: Command
  logPath: string
  print: (line: string) => void
  /** Called whenever the process id changed. */
  changed?: () => void
  backoffMs?: { least: number; most: number }
  stopTimeoutMs?: number
}

/** After a process was ready for so long, its next restart begins with the shortest pause again. */
const healthyMs = 5_000

/** Runs a service from `start` on, and restarts it whenever it ends. */
export function supervise(supervision: Supervision): SupervisedService {
  const { name, url, logPath, stopTimeoutMs = 15_000 } = supervision
  const program = new RestartedProgram(supervision)
  let running: { life: Promise<void>; end: AbortController } | undefined
  rotateLog(logPath)

  const service: SupervisedService = {
    url,
    pid: () => (program.child === undefined || program.child.hasEnded() ? undefined : program.child.pid),
    async kill(signal = 'SIGKILL') {
      const target = program.child
      if (target === undefined || target.hasEnded()) return
      target.signal(signal)
      if (signal === 'SIGKILL') await waitUntil(() => target.hasEnded(), { timeoutMs: 5_000, everyMs: 2 })
    },
    async stop(signal = 'SIGTERM') {
      const stopping = running
      if (!stopping) return
      stopping.end.abort()
      if (program.child) await stopChild(program.child, signal, stopTimeoutMs)
      await stopping.life
      if (running === stopping) running = undefined
    },
    async start() {
      if (running?.end.signal.aborted) await running.life
      else if (running) return
      program.failedStarts = 0
      const end = new AbortController()
      await new Promise<void>((resolve) => {
        running = { life: program.live(end.signal, resolve), end }
      })
    },
    async restart(command) {
      await service.stop()
      if (command) program.command = command
      await service.start()
    },
    async waitReady(timeoutMs = 60_000) {
      const failedBefore = program.failedStarts
      const keepsFailing = (): boolean => program.failedStarts - failedBefore >= 3
      const isOver = async (): Promise<boolean> =>
        running === undefined || keepsFailing() || (program.hasBecomeReady() && (await program.isReady()))
      const isInTime = await waitUntil(isOver, { timeoutMs, everyMs: 25 })
      if (running === undefined) throw new StartError(`${name} is stopped.`)
      if (keepsFailing()) throw new StartError(`${name} ${program.lastFault}: see ${logPath}.`)
      if (!isInTime) throw new StartError(`${name} was not ready after ${seconds(timeoutMs)}: see ${logPath}.`)
    },
  }
  return service
}

/** The process of a service, which runs again whenever it ends. */
class RestartedProgram {
  child: RunningChild | undefined
  command: Command
  /** In a row. */
  failedStarts = 0
  lastFault = ''
  #onceReady: RunningChild | undefined
  readonly #supervision: Omit<Required<Supervision>, 'stopTimeoutMs'>

  constructor(supervision: Supervision) {
    this.command = supervision.command
    this.#supervision = {
      isReady: () => isReady(supervision.url),
      changed: () => {},
      backoffMs: { least: 200, most: 10_000 },
      ...supervision,
    }
  }

  async isReady(): Promise<boolean> {
    if (this.child === undefined || this.child.hasEnded()) return false
    try {
      return await this.#supervision.isReady()
    } catch {
      return false
    }
  }

  /** Whether the current process was ready at least once. */
  hasBecomeReady(): boolean {
    return this.#onceReady === this.child
  }

  /** Runs one process after the other until `end`. @param spawned called when a process runs, or could not be run */
  async live(end: AbortSignal, spawned: () => void): Promise<void> {
    const { name, print, backoffMs } = this.#supervision
    let attempt = 0
    let previousEnd = ''
    while (!end.aborted) {
      const servedMs = await this.#runOnce(end, spawned, previousEnd)
      if (end.aborted) return
      attempt = servedMs !== undefined && servedMs >= healthyMs ? 0 : attempt
      const waitMs = Math.min(backoffMs.least * 2 ** attempt, backoffMs.most)
      previousEnd = servedMs === undefined ? '' : this.lastFault
      if (servedMs === undefined) print(`${name} ${this.lastFault}: next attempt in ${seconds(waitMs)}.`)
      attempt += 1
      await sleep(waitMs, undefined, { signal: end }).catch(() => {}) // When aborted, the loop ends.
    }
  }

  /** Runs one process until it ends. @returns for how long it was ready; undefined if it never was */
  async #runOnce(end: AbortSignal, spawned: () => void, previousEnd: string): Promise<number | undefined> {
    const { name, logPath, print, changed } = this.#supervision
    const logged = logSize(logPath)
    const began = performance.now()
    let readySince: number | undefined
    let ending: string
    try {
      const current = await startChild(this.command, logPath, 'SIGTERM')
      this.child = current
      changed()
      spawned()
      await waitUntil(async () => current.hasEnded() || end.aborted || (await this.isReady()), {
        timeoutMs: Infinity,
        everyMs: 50,
      })
      if (!current.hasEnded() && !end.aborted) {
        readySince = performance.now()
        this.#onceReady = current
        this.failedStarts = 0
        if (previousEnd !== '') print(`${name} ${previousEnd}: restarted, ready after ${seconds(readySince - began)}.`)
      }
      ending = await current.ended
    } catch (error) {
      ending = `could not be run: ${messageOf(error)}`
      spawned()
    }
    changed()
    if (readySince !== undefined) {
      this.lastFault = `ended (${ending})`
      return performance.now() - readySince
    }
    this.failedStarts += 1
    this.lastFault = `ended while starting (${lastError(logPath, logged) ?? ending})`
    return undefined
  }
}

/** @throws Error when nothing responds */
export async function isReady(url: string, path = '/readyz'): Promise<boolean> {
  const response = await fetch(`${url}${path}`, { signal: AbortSignal.timeout(2_000) })
  await response.body?.cancel()
  return response.status === 200
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
