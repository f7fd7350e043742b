import { openLogFile, startServices, type RunningService } from '@storefront/service'
import type { ServiceName } from '@storefront/contracts'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { SupervisedService } from '../supervise.ts'
import { loadService } from './load-service.ts'

/** Runs a service in this process instead of its own process. It can be stopped and started, but not killed. */
export function runHere(url: string, start: () => Promise<RunningService>): SupervisedService {
  let running: RunningService | undefined
  const service: SupervisedService = {
    url,
    pid: () => (running ? process.pid : undefined),
    kill: async () => {
      throw new Error('this shop runs in the process of its caller, so its services cannot be killed')
    },
    async start() {
      running ??= await start()
    },
    async stop() {
      await running?.stop()
      running = undefined
    },
    async restart() {
      await service.stop()
      await service.start()
    },
    async waitReady() {
      if (!running) throw new Error(`${url} is stopped`)
    },
  }
  return service
}

/**
 * @param env the environment of the service
 * @param logPath the file to which its log is appended
 */
export async function startServiceHere(
  name: ServiceName,
  env: Record<string, string>,
  logPath: string,
): Promise<RunningService> {
  mkdirSync(dirname(logPath), { recursive: true })
  const definition = await loadService(name)
  return startServices([definition.configure(env, openLogFile(logPath))])
}
