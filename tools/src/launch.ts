import { systemClock } from '@storefront/service'
import { natsUsers, SERVICE_NAMES } from '@storefront/contracts'
import type { ServiceName } from '@storefront/contracts'
import { join, resolve } from 'node:path'
import { startInfrastructure } from './infrastructure/index.ts'
import type { Infrastructure, InfrastructureOptions } from './infrastructure/index.ts'
import { untilAborted } from './infrastructure/wait-until.ts'
import { tightenFolder, tightenTree } from './files.ts'
import { lockDataFolder } from './launcher-lock.ts'
import { mailboxCommand } from './mailbox/mailbox-command.ts'
import { startMailbox } from './mailbox/start-mailbox.ts'
import { oneProcessCommand } from './one-process/one-process-command.ts'
import { runHere, startServiceHere } from './one-process/run-here.ts'
import { STOP_ORDER } from './one-process/stop-order.ts'
import { prepare } from './prepare.ts'
import { endLeftoverServices, writeProcesses } from './processes-file.ts'
import { seed } from './seed.ts'
import { recordRunningShop } from './running-shop.ts'
import { serviceCommand } from './service-command.ts'
import { internalUrl, mailDir, mediaDir, publicUrl, serviceEnvironment } from './service-environment.ts'
import { choosePorts, replicaName, metricsName, rejectUsedPort } from './service-ports.ts'
import { shopNamespace } from './shop-namespace.ts'
import { readShopSecrets } from './shop-secrets.ts'
import { readSettings } from './shop-settings.ts'
import { messageOf, StartError } from './start-error.ts'
import { warmCompileCache } from './warm-compile-cache.ts'
import { supervise } from './supervise.ts'
import type { SupervisedService, Supervision } from './supervise.ts'

export interface LaunchOptions {
  /** The variables that `npm start --help` lists. PORT 0 means a free port. */
  env: NodeJS.ProcessEnv
  dataDir: string
  /** Loads the demo shop when the shop is empty. */
  seed: boolean
  print: (line: string) => void
  /** Prints nothing. */
  quiet?: boolean
  /** Stops the launch at the next step. */
  signal?: AbortSignal
  cacheDir?: string
  infrastructureSettings?: InfrastructureOptions['settings']
  /** Servers that already run, and continue when the shop stops. Without them, the shop starts its own. */
  sharedServers?: SharedServers
  /** Runs the services in the process of the caller, which is fastest, for tests that do not kill any. */
  inThisProcess?: boolean
  /**
   * The folder that `buildPrograms` of `testing` returned, from which services and mailbox run instead of from their
   * sources.
   */
  programs?: string
  /** The pause before a service that ended is restarted. It doubles each time the service ends soon after a start. */
  restartPauseMs?: Supervision['backoffMs']
  /** The number of processes of a service; 1 by default. */
  replicas?: Partial<Record<ServiceName, number>>
  /** More variables for single services, for tests. A function receives the other variables of the service. */
  serviceEnvironment?: Partial<Record<ServiceName, Environment | ((given: Environment) => Environment)>>
}

export interface SharedServers extends Pick<Infrastructure, 'postgres' | 'redis' | 'nats'> {
  /** Prefix of the names of the shop's database, roles, streams and keys on these servers. */
  namespace: string
  streamMaxBytes: number
}

type Environment = Record<string, string>
export type ServiceReplicas = [SupervisedService, ...SupervisedService[]]

export interface RunningShop {
  /** The gateway on this machine, with its base path. */
  url: string
  /** The same for a browser, as it is printed at the start. */
  publicUrl: string
  adminEmail: string
  adminPassword: string
  webhookSecret: string
  databaseAdminUrl: string
  namespace: string
  /** The first replica of each. */
  services: Record<ServiceName, SupervisedService>
  replicas: Record<ServiceName, ServiceReplicas>
  /** Addresses of the metrics of each service, which only this machine can reach. */
  metricsUrls: Record<ServiceName, string>
  /** Receives the mails when SMTP_URL is not set. */
  mailbox: SupervisedService | undefined
  /** Address of the page that shows these mails, with its token. */
  mailboxPage: string | undefined
  infrastructure: Infrastructure
  stop(): Promise<void>
}

/** Starts the whole shop. When a step fails, stops everything that was started before it. */
export async function launch(options: LaunchOptions): Promise<RunningShop> {
  const undo: (() => Promise<void> | void)[] = []
  let stopping: Promise<void> | undefined
  const stop = (): Promise<void> => (stopping ??= undoAll(undo))
  try {
    return { ...(await launchSteps(options, undo)), stop }
  } catch (error) {
    await stop().catch(() => {}) // The first fault is the one to report.
    throw error
  }
}

async function undoAll(undo: (() => Promise<void> | void)[]): Promise<void> {
  const faults: unknown[] = []
  for (let step = undo.pop(); step !== undefined; step = undo.pop()) {
    try {
      await step()
    } catch (error) {
      faults.push(error) // The remaining steps must run nevertheless.
    }
  }
  if (faults.length > 0) throw new AggregateError(faults, 'the shop could not be stopped in order')
}

async function launchSteps(
  options: LaunchOptions,
  undo: (() => Promise<void> | void)[],
): Promise<Omit<RunningShop, 'stop'>> {
  const { env, signal, sharedServers, programs, inThisProcess = false } = options
  const { namespace, streamMaxBytes } = sharedServers ?? { namespace: shopNamespace }
  const dataDir = resolve(options.dataDir)
  const print = options.quiet ? (): void => {} : options.print
  const step = (line: string): void => {
    signal?.throwIfAborted()
    print(line)
  }

  const cacheDir = options.cacheDir ?? dataDir
  const logPath = (name: string): string => join(dataDir, 'logs', `${name}.log`)

  const settings = readSettings(env)
  undo.push(lockDataFolder(dataDir))
  await endLeftoverServices(dataDir)
  tightenFolder(dataDir)
  if (settings.PORT !== 0) await rejectUsedPort(settings.PORT)
  const secrets = readShopSecrets(dataDir, settings)

  step('Starting PostgreSQL, Redis and NATS.')
  const warming = new AbortController()
  const runsSources = !inThisProcess && programs === undefined
  const compiled = runsSources ? warmCompileCache(cacheDir, warming.signal) : Promise.resolve()
  undo.push(() => {
    warming.abort()
    return compiled
  })
  const infrastructure = sharedServers
    ? { ...sharedServers, stop: async () => {} }
    : await startInfrastructure({
        dataDir,
        env,
        print,
        users: natsUsers(secrets.natsPasswords),
        ...(signal && { signal }),
        ...(options.cacheDir !== undefined && { cacheDir: options.cacheDir }),
        ...(options.infrastructureSettings && { settings: options.infrastructureSettings }),
      })
  undo.push(() => infrastructure.stop())
  // Unpacked files have the permissions that the archive gives them.
  tightenTree(join(dataDir, 'packages'))
  undo.push(recordRunningShop(dataDir, settings, systemClock.now()))

  step('Preparing database schemas and event streams.')
  const { postgres, redis, nats } = infrastructure
  const { databaseUrls } = await prepare({
    adminDatabaseUrl: postgres.url,
    natsUrl: nats.url,
    namespace,
    rolePasswords: secrets.rolePasswords,
    ...(streamMaxBytes !== undefined && { streamMaxBytes }),
    print,
  }).catch((error: unknown): never => {
    throw new StartError(
      `The database could not be prepared (${messageOf(error)}): correct the cause, or start again with npm start -- --reset.`,
    )
  })

  await compiled
  step(settings.ONE_PROCESS === 'true' ? 'Starting the six services in one process.' : 'Starting the six services.')
  const { ports, mailboxPorts, ...chosen } = await choosePorts(dataDir, settings.PORT, options.replicas)
  const isOneProcess = settings.ONE_PROCESS === 'true'
  // One process serves the metrics of all its services at one address.
  const metricsPorts = isOneProcess ? forEach(() => chosen.metricsPorts.gateway) : chosen.metricsPorts
  const startMailboxOfShop = (): SupervisedService => {
    const url = internalUrl(mailboxPorts.pages)
    const kept = { mailDir: mailDir(dataDir), token: secrets.mailboxToken }
    if (inThisProcess) return runHere(url, () => startMailbox(mailboxPorts, kept))
    return supervise({
      name: 'mailbox',
      url,
      command: mailboxCommand(mailboxPorts, kept, cacheDir, programs),
      logPath: logPath('mailbox'),
      print,
      changed: () => noteProcesses(),
    })
  }
  const mailbox = settings.SMTP_URL === undefined ? startMailboxOfShop() : undefined
  const surroundings = {
    settings,
    secrets,
    dataDir,
    namespace,
    ports,
    metricsPorts,
    databaseUrls,
    redisUrl: redis.url,
    natsUrlFor: (service: ServiceName) => nats.urlFor(service),
    mailboxUrl: `smtp://127.0.0.1:${mailboxPorts.smtp}`,
    inherited: env,
  }
  const environmentOf = (name: ServiceName, replica: number): Environment =>
    withMore(serviceEnvironment(name, surroundings, replica), options.serviceEnvironment?.[name])
  const superviseReplica = (name: ServiceName, replica: number, port: number): SupervisedService => {
    const url = internalUrl(port)
    const path = logPath(replicaName(name, replica))
    if (inThisProcess) return runHere(url, () => startServiceHere(name, environmentOf(name, replica), path))
    return supervise({
      name: replicaName(name, replica),
      url,
      command: serviceCommand(name, environmentOf(name, replica), cacheDir, programs),
      logPath: path,
      ...(options.restartPauseMs && { backoffMs: options.restartPauseMs }),
      print,
      changed: () => noteProcesses(),
    })
  }
  const superviseTogether = (): Record<ServiceName, ServiceReplicas> => {
    const process = supervise({
      name: 'shop',
      url: internalUrl(ports.gateway[0]),
      readyUrls: SERVICE_NAMES.map((name) => internalUrl(ports[name][0])),
      command: oneProcessCommand(
        forEach((name) => environmentOf(name, 0)),
        cacheDir,
      ),
      logPath: logPath('shop'),
      print,
      changed: () => noteProcesses(),
    })
    return forEach((name) => [{ ...process, url: internalUrl(ports[name][0]) }])
  }
  const replicas = isOneProcess
    ? superviseTogether()
    : forEach((name): ServiceReplicas => {
        const [first, ...others] = ports[name]
        return [
          superviseReplica(name, 0, first),
          ...others.map((port, index) => superviseReplica(name, index + 1, port)),
        ]
      })
  const noteProcesses = (): void =>
    writeProcesses(dataDir, [
      ...SERVICE_NAMES.flatMap((name) =>
        replicas[name].map((service, replica): [string, number | undefined, number] => [
          replicaName(name, replica),
          service.pid(),
          Number(new URL(service.url).port),
        ]),
      ),
      ...SERVICE_NAMES.flatMap((name) =>
        metricsPorts[name].map((port, replica): [string, undefined, number] => [
          metricsName(name, replica),
          undefined,
          port,
        ]),
      ),
      ['mailbox', mailbox?.pid(), mailboxPorts.pages],
      ['mailbox-smtp', undefined, mailboxPorts.smtp],
    ])
  undo.push(async () => {
    for (const name of STOP_ORDER) await Promise.all(replicas[name].map((service) => service.stop()))
    await mailbox?.stop()
  })
  const all = [...SERVICE_NAMES.flatMap((name) => replicas[name]), ...(mailbox ? [mailbox] : [])]
  await Promise.all(all.map((service) => service.start()))
  await untilAborted(signal, Promise.all(all.map((service) => service.waitReady())))

  const url = `${internalUrl(ports.gateway[0])}${settings.PUBLIC_BASE_PATH}`
  const { adminPassword, webhookSecret } = secrets
  const admin = { adminEmail: settings.ADMIN_EMAIL, adminPassword }
  if (options.seed) {
    await untilAborted(signal, seed({ url, ...admin, mediaDir: mediaDir(dataDir), print }))
  }
  signal?.throwIfAborted()
  return {
    url,
    publicUrl: publicUrl(settings, ports.gateway[0]),
    ...admin,
    webhookSecret,
    databaseAdminUrl: postgres.url,
    namespace,
    services: forEach((name) => replicas[name][0]),
    replicas,
    metricsUrls: forEach((name) => `${internalUrl(metricsPorts[name][0])}/metrics`),
    mailbox,
    mailboxPage: mailbox && `${mailbox.url}/?token=${secrets.mailboxToken}`,
    infrastructure,
  }
}

function withMore(given: Environment, more: Environment | ((given: Environment) => Environment) = {}): Environment {
  return { ...given, ...(typeof more === 'function' ? more(given) : more) }
}

function forEach<Value>(valueOf: (name: ServiceName) => Value): Record<ServiceName, Value> {
  return {
    gateway: valueOf('gateway'),
    catalog: valueOf('catalog'),
    cart: valueOf('cart'),
    orders: valueOf('orders'),
    identity: valueOf('identity'),
    notifier: valueOf('notifier'),
  }
}
