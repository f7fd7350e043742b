import type { z } from 'zod'
import type { ServiceName } from '@storefront/contracts'
import { ConfigurationError, readConfig, type ServiceConfig } from './config.ts'
import { createLog, type Log } from './log.ts'
import { serveMetrics } from './metrics/metrics-server.ts'
import { releaseStartupMemory } from './startup-memory.ts'
import { startTracing } from './tracing/start-tracing.ts'

/** How long a service may take to finish what is in flight, after its STOP_DELAY_MS. */
const STOP_TIMEOUT_MS = 10_000

export interface RunningService {
  /** Stops accepting, finishes what is in flight, closes connections. */
  stop(): Promise<void>
}

/**
 * The life of a service process: configuration, start, and an orderly stop on SIGTERM or SIGINT with exit code 0.
 * Whatever is thrown on the way ends the process with code 1 after one line in the log.
 */
export async function runService<Schema extends z.ZodType<z.output<typeof ServiceConfig>>>(
  name: ServiceName,
  configSchema: Schema,
  start: (config: z.output<Schema>, log: Log) => Promise<RunningService>,
): Promise<void> {
  let log: Log | undefined
  try {
    const config = readConfig(configSchema, process.env)
    const serviceLog = createLog({ service: name, level: config.LOG_LEVEL })
    log = serviceLog
    process.on('unhandledRejection', (reason) => {
      // A promise that nobody waits for is a fault in the code: better a restart than a state nobody knows.
      serviceLog.fatal({ err: reason }, 'a promise was rejected and nobody handled it')
      serviceLog.flush(() => process.exit(1))
    })
    const tracing = await startTracing(name, process.env, serviceLog)
    const { METRICS_HOST: host, METRICS_PORT: port } = config
    // First, so that a start that takes long can be seen.
    const metrics = port === undefined ? undefined : await serveMetrics({ service: name, host, port, log: serviceLog })
    const service = await start(config, serviceLog)
    releaseStartupMemory()
    let stopping = false
    const stop = (signal: NodeJS.Signals): void => {
      if (stopping) return
      stopping = true
      serviceLog.info({ signal }, 'stopping')
      setTimeout(() => {
        serviceLog.error('did not stop in time')
        serviceLog.flush(() => process.exit(1))
      }, config.STOP_DELAY_MS + STOP_TIMEOUT_MS).unref()
      // Last, so that a stop that takes long can be seen.
      const stopped = service.stop().then(() => Promise.all([tracing.stop(), metrics?.stop()]))
      stopped.then(
        () => serviceLog.flush(() => process.exit(0)),
        (error: unknown) => {
          serviceLog.error({ err: error }, 'the stop failed')
          serviceLog.flush(() => process.exit(1))
        },
      )
    }
    process.on('SIGTERM', stop)
    process.on('SIGINT', stop)
  } catch (error) {
    if (log) log.fatal({ err: error }, 'the service cannot start')
    // Before there is a log, and for the person who reads the last line of it.
    process.stderr.write(`${name}: ${error instanceof Error ? error.message : String(error)}\n`)
    if (!(error instanceof ConfigurationError) && log) log.flush(() => process.exit(1))
    else process.exit(1)
  }
}
