import { systemClock } from '@storefront/service'
import { natsUsers, type ServiceName } from '@storefront/contracts'
import { join, resolve } from 'node:path'
import { rejectUnfinishedRestore } from './backup/reject-unfinished-restore.ts'
import { isBuilt } from './build-app.ts'
import { forEachService } from './for-each-service.ts'
import { startInfrastructure, type Infrastructure, type InfrastructureOptions } from './infrastructure/index.ts'
import { untilAborted } from './infrastructure/wait-until.ts'
import { makeFolderPrivate, makeTreePrivate } from './files.ts'
import { lockDataFolder } from './launcher-lock.ts'
import { ownDatabaseUrls } from './own-databases.ts'
import { prepare } from './prepare.ts'
import { beginBuilds } from './programs/begin-builds.ts'
import { deleteUnreadCode } from './programs/delete-unread-code.ts'
import { endLeftoverServices, readProcesses } from './processes-file.ts'
import { seed } from './seed.ts'
import { recordRunningShop } from './running-shop.ts'
import { internalUrl, mediaDir, publicUrl, type LaunchContext } from './service-environment.ts'
import { choosePorts, rejectUsedPort } from './service-ports.ts'
import { ShopPrograms, type ProgramOptions, type ServiceReplicas } from './shop-programs.ts'
import { shopNamespace } from './shop-namespace.ts'
import { readShopSecrets, type ShopSecrets } from './shop-secrets.ts'
import { readSettings, type ShopSettings } from './shop-settings.ts'
import { messageOf, StartError } from './start-error.ts'
import { chooseStorefrontPort, withStorefront } from './storefront-program.ts'
import type { SupervisedService } from './supervise.ts'

export interface LaunchOptions extends ProgramOptions {
  /** The variables that `npm start --help` lists. PORT 0 means a free port. */
  env: NodeJS.ProcessEnv
  dataDir: string
  /** Loads the demo shop when the shop is empty. */
  seed: boolean
  print: (line: string) => void
  /** Runs while the servers start; the services start after it. Must end when the signal aborts. */
  beforeServices?: (signal: AbortSignal) => Promise<unknown>
  /** Stops the launch at the next step. */
  signal?: AbortSignal
  cacheDir?: string
  infrastructureSettings?: InfrastructureOptions['settings']
  /** Servers that already run, and continue when the shop stops. Without them, the shop starts its own. */
  sharedServers?: SharedServers
  /** Starts the reference storefront too, if it is built and STOREFRONT_URL names no other. */
  storefront?: boolean
  /** The number of processes of a service; 1 by default. */
  replicas?: Partial<Record<ServiceName, number>>
}

interface SharedServers extends Pick<Infrastructure, 'postgres' | 'redis' | 'nats'> {
  /** Prefix of the names of the shop's database, roles, streams and keys on these servers. */
  namespace: string
  streamMaxBytes: number
}

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
  /** The reference storefront, if the shop has its own. */
  storefront: SupervisedService | undefined
  /** Its address for a browser, or that of another storefront. */
  storefrontUrl: string
  /** Receives the mails when SMTP_URL is not set. */
  mailbox: SupervisedService | undefined
  /** Address of the page that shows these mails, with its token. */
  mailboxPage: string | undefined
  infrastructure: Infrastructure
  stop(): Promise<void>
}

type Undo = (() => Promise<void> | void)[]

/** Starts the whole shop. When a step fails, stops everything that was started before it. */
export async function launch(given: LaunchOptions): Promise<RunningShop> {
  const options = { ...given, dataDir: resolve(given.dataDir) }
  const undo: Undo = []
  let stopping: Promise<void> | undefined
  const stop = (): Promise<void> => (stopping ??= undoAll(undo))
  try {
    return { ...(await launchSteps(options, undo)), stop }
  } catch (error) {
    await stop().catch(() => {}) // The first fault is the one to report.
    throw error
  }
}

async function undoAll(undo: Undo): Promise<void> {
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

async function launchSteps(options: LaunchOptions, undo: Undo): Promise<Omit<RunningShop, 'stop'>> {
  const { env, dataDir, print, signal } = options
  const step = (line: string): void => {
    signal?.throwIfAborted()
    print(line)
  }

  const settings = readSettings(env)
  undo.push(await lockDataFolder(dataDir))
  await endLeftoverServices(dataDir)
  makeFolderPrivate(dataDir)
  if (settings.PORT !== 0) await rejectUsedPort(settings.PORT)
  const secrets = readShopSecrets(dataDir, settings)

  step('Starting PostgreSQL, Redis and NATS.')
  const builds = beginBuilds(options)
  undo.push(() => builds.end())
  const infrastructure = await startServers(options, secrets)
  undo.push(() => infrastructure.stop())
  // Unpacked files have the permissions that the archive gives them.
  makeTreePrivate(join(dataDir, 'packages'))
  undo.push(recordRunningShop(dataDir, settings, systemClock.now()))

  step('Preparing database schemas and event streams.')
  const databaseUrls = await prepareServers(options, infrastructure, { secrets, settings })
  await rejectUnfinishedRestore(databaseUrls.orders)

  const programFiles = await builds.programs
  await deleteUnreadCode(dataDir, programFiles)
  step(settings.ONE_PROCESS === 'true' ? 'Starting the six services in one process.' : 'Starting the six services.')
  const storefrontPort = await storefrontPortOf(options, settings)
  const context: LaunchContext = {
    settings: storefrontPort === undefined ? settings : withStorefront(settings, storefrontPort),
    storefrontPort,
    secrets,
    dataDir,
    namespace: namespaceOf(options),
    ...(await portsOf(options, settings)),
    databaseUrls,
    redisUrl: infrastructure.redis.url,
    natsUrlFor: (service) => infrastructure.nats.urlFor(service),
    inherited: env,
  }
  const programs = new ShopPrograms({ ...options, programs: programFiles }, context)
  undo.push(() => programs.stop())
  await programs.start(signal)

  const shop = describeShop(context, programs, infrastructure)
  if (options.seed) await untilAborted(signal, seed({ ...shop, mediaDir: mediaDir(dataDir), print }))
  signal?.throwIfAborted()
  return shop
}

/** Starts PostgreSQL, Redis and NATS, unless the shop uses servers that already run. */
async function startServers(options: LaunchOptions, { natsPasswords }: ShopSecrets): Promise<Infrastructure> {
  const { dataDir, env, print, signal, cacheDir, infrastructureSettings, sharedServers } = options
  if (sharedServers) return { ...sharedServers, stop: async () => {} }
  return startInfrastructure({
    dataDir,
    env,
    print,
    users: natsUsers(natsPasswords),
    ...(signal && { signal }),
    ...(cacheDir !== undefined && { cacheDir }),
    ...(infrastructureSettings && { settings: infrastructureSettings }),
  })
}

/** @returns the address of the database for each service */
async function prepareServers(
  options: LaunchOptions,
  { postgres, nats }: Infrastructure,
  { secrets: { rolePasswords }, settings }: Pick<LaunchContext, 'secrets' | 'settings'>,
): Promise<Record<ServiceName, string>> {
  const { print, sharedServers } = options
  try {
    return await prepare({
      adminDatabaseUrl: postgres.url,
      ownDatabaseUrls: ownDatabaseUrls(settings.given),
      natsUrl: nats.url,
      namespace: namespaceOf(options),
      rolePasswords,
      env: {
        ...settings.given,
        ...(sharedServers && { STREAM_MAX_BYTES: String(sharedServers.streamMaxBytes) }),
      },
      print,
    })
  } catch (error) {
    throw new StartError(
      `The database could not be prepared (${messageOf(error)}): correct the cause, or start again with npm start -- --reset, which deletes the data of the shop.`,
    )
  }
}

function namespaceOf({ sharedServers }: LaunchOptions): string {
  return sharedServers?.namespace ?? shopNamespace
}

async function portsOf(
  { dataDir, replicas }: LaunchOptions,
  { PORT, ONE_PROCESS }: ShopSettings,
): Promise<Pick<LaunchContext, 'ports' | 'metricsPorts' | 'mailboxPorts'>> {
  const chosen = await choosePorts(dataDir, PORT, replicas)
  if (ONE_PROCESS !== 'true') return chosen
  // One process serves the metrics of all its services at one address.
  return { ...chosen, metricsPorts: forEachService(() => chosen.metricsPorts.gateway) }
}

/** @returns undefined for a shop without its own storefront */
async function storefrontPortOf({ storefront, dataDir }: LaunchOptions, settings: ShopSettings) {
  if (storefront !== true || settings.given['STOREFRONT_URL'] !== undefined || !isBuilt('storefront')) return undefined
  return chooseStorefrontPort(settings.PORT, readProcesses(dataDir)['storefront']?.port)
}

function describeShop(
  { settings, secrets, ports, metricsPorts, namespace }: LaunchContext,
  { replicas, mailbox, storefront }: ShopPrograms,
  infrastructure: Infrastructure,
): Omit<RunningShop, 'stop'> {
  return {
    url: `${internalUrl(ports.gateway[0])}${settings.PUBLIC_BASE_PATH}`,
    publicUrl: publicUrl(settings, ports.gateway[0]),
    adminEmail: settings.ADMIN_EMAIL,
    adminPassword: secrets.adminPassword,
    webhookSecret: secrets.webhookSecret,
    databaseAdminUrl: infrastructure.postgres.url,
    namespace,
    services: forEachService((name) => replicas[name][0]),
    replicas,
    metricsUrls: forEachService((name) => `${internalUrl(metricsPorts[name][0])}/metrics`),
    storefront,
    storefrontUrl: settings.STOREFRONT_URL,
    mailbox,
    mailboxPage: mailbox && `${mailbox.url}/?token=${secrets.mailboxToken}`,
    infrastructure,
  }
}
