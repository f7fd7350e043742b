import { readConfig } from '../config.ts'
import type { Log } from '../log.ts'
import { TracingConfig } from './tracing-config.ts'

export interface Tracing {
  /** Sends the waiting spans, within a deadline. Never rejects. */
  stop(): Promise<void>
}

/**
 * Turns tracing on when the environment names a collector. Otherwise nothing of the SDK is loaded.
 * @throws ConfigurationError
 */
export async function startTracing(service: string, env: NodeJS.ProcessEnv, log: Log): Promise<Tracing> {
  const config = readConfig(TracingConfig, env)
  if (!config.isOn) return { stop: async () => {} }
  const { startSdk } = await import('./sdk.ts')
  return startSdk(service, config, log)
}
