import { readConfig } from '../config.ts'
import type { Log } from '../log.ts'
import type { Stoppable } from '../timer.ts'
import { TracingConfig } from './tracing-config.ts'

/**
 * Turns tracing on when the environment names a collector. Otherwise nothing of the SDK is loaded.
 * @returns its stop sends the waiting spans, within a deadline, and never rejects
 * @throws ConfigurationError
 */
export async function startTracing(service: string, env: NodeJS.ProcessEnv, log: Log): Promise<Stoppable> {
  const config = readConfig(TracingConfig, env)
  if (!config.isOn) return { stop: async () => {} }
  const { startSdk } = await import('./sdk.ts')
  return startSdk(service, config, log)
}
