import { flushCompileCache } from 'node:module'
import type { DestinationStream } from 'pino'
import type { z } from 'zod'
import type { ServiceName } from '@storefront/contracts'
import { ConfigurationError, readConfig, type ServiceConfig } from './config.ts'
import { createLog, type Log } from './log.ts'
import { serveMetrics } from './metrics/metrics-server.ts'
import { releaseStartupMemory } from './startup-memory.ts'
import { startTracing } from './tracing/start-tracing.ts'

/** How long a process may take to finish the work in flight, after the STOP_DELAY_MS of its services. */
const STOP_TIMEOUT_MS = 10_000

export interface RunningService {
  /** Stops consuming events and sending what is queued, in advance: `stop` waits for it. */
  stopConsuming?(): Promise<void>
  /** Stops accepting, finishes the work in flight, closes connections. */
  stop(): Promise<void>
}

type CommonConfig = z.output<typeof ServiceConfig>

interface ConfiguredService {
  config: CommonConfig
  log: Log
  start(): Promise<RunningService>
}

/** A service that can run in a process of its own or together with others. */
export interface ServiceDefinition {
  readonly name: ServiceName
  /**
   * Reads its environment and opens its log.
   * @param logTo stdout by default
   * @throws ConfigurationError
   */
  configure(env: NodeJS.ProcessEnv, logTo?: DestinationStream): ConfiguredService
}

/** One service with the environment that it runs in. */
export interface ServicePlan {
  service: ServiceDefinition
  env: NodeJS.ProcessEnv
}

export function defineService<Schema extends z.ZodType<CommonConfig>>(
  name: ServiceName,
  configSchema: Schema,
  start: (config: z.output<Schema>, log: Log) => Promise<RunningService>,
): ServiceDefinition {
  return {
    name,
    configure(env, logTo) {
      const config = readConfig(configSchema, env)
      const log = createLog({ service: name, level: config.LOG_LEVEL }, logTo)
      return { config, log, start: () => start(config, log) }
    },
  }
}

/**
 * Starts services side by side. When one cannot start, the started ones are stopped again.
 * @returns one service, whose `stop` stops them one after the other in the given order
 */
export async function startServices(services: readonly Pick<ConfiguredService, 'start'>[]): Promise<RunningService> {
  const starts = await Promise.allSettled(services.map((service) => service.start()))
  const running = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
  const stop = async (): Promise<void> => {
    // A slow response of the first and a slow receiver of the last would otherwise take longer than the process has.
    for (const service of running.slice(1)) service.stopConsuming?.().catch(() => {})
    for (const service of running) await service.stop()
  }
  const failed = starts.find((start) => start.status === 'rejected')
  if (!failed) return { stop }
  await stop()
  throw failed.reason
}

/** The life of a process with this one service, whose configuration is the environment of the process. */
export async function runService(service: ServiceDefinition): Promise<void> {
  await runServices(service.name, [{ service, env: process.env }])
}

/**
 * The life of a process: configuration, start, and an orderly stop on SIGTERM or SIGINT with exit code 0. Any error on
 * the way ends the process with code 1 after one line in the log.
 * @param name the process name in metrics and traces
 * @param plans the first one determines where metrics are served; they stop in this order
 */
export async function runServices(name: string, plans: readonly [ServicePlan, ...ServicePlan[]]): Promise<void> {
  let log: Log | undefined
  try {
    const services = plans.map(({ service, env }) => service.configure(env))
    const [first] = services
    if (!first) return
    const processLog = first.log
    log = processLog
    process.on('unhandledRejection', (reason) => {
      // A rejection without a handler is a bug: a restart is better than an unknown state.
      processLog.fatal({ err: reason }, 'unhandled promise rejection')
      processLog.flush(() => process.exit(1))
    })
    const tracing = await startTracing(name, plans[0].env, processLog)
    const { METRICS_HOST: host, METRICS_PORT: port } = first.config
    // Before the services start, so that metrics show a slow start.
    const metrics = port === undefined ? undefined : await serveMetrics({ process: name, host, port, log: processLog })
    const running = await startServices(services)
    // Node stores compiled code only at an orderly end: a killed process would compile it again at its next start.
    flushCompileCache()
    if (first.config.STARTUP_MEMORY === 'release') releaseStartupMemory()
    let stopping = false
    const stop = (signal: NodeJS.Signals): void => {
      if (stopping) return
      stopping = true
      processLog.info({ signal }, 'stopping')
      const delayMs = services.reduce((sum, { config }) => sum + config.STOP_DELAY_MS, 0)
      setTimeout(() => {
        processLog.error('the service did not stop in time')
        processLog.flush(() => process.exit(1))
      }, delayMs + STOP_TIMEOUT_MS).unref()
      // After the services have stopped, so that metrics and traces show a slow stop.
      const stopped = running.stop().then(() => Promise.all([tracing.stop(), metrics?.stop()]))
      stopped.then(
        () => processLog.flush(() => process.exit(0)),
        (error: unknown) => {
          processLog.error({ err: error }, 'the stop failed')
          processLog.flush(() => process.exit(1))
        },
      )
    }
    process.on('SIGTERM', stop)
    process.on('SIGINT', stop)
  } catch (error) {
    if (log) log.fatal({ err: error }, 'the service cannot start')
    // To stderr as well: there may be no log yet, and a person at the terminal reads the last line.
    process.stderr.write(`${name}: ${error instanceof Error ? error.message : String(error)}\n`)
    if (!(error instanceof ConfigurationError) && log) log.flush(() => process.exit(1))
    else process.exit(1)
  }
}
