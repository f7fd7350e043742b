import { join, resolve } from 'node:path'
import { natsUsers } from '@storefront/contracts'
import { systemClock } from '@storefront/service'
import { makeFolder, makeFolderPrivate } from '../files.ts'
import { findPostgresOwner } from '../infrastructure/postgres-owner.ts'
import { untilAborted } from '../infrastructure/wait-until.ts'
import { lockDataFolder } from '../launcher-lock.ts'
import { prepareOtherVersion } from '../prepare-other-version.ts'
import { prepare, type PrepareOptions } from '../prepare.ts'
import { programSources, programsOrSources, type Programs } from '../programs/build-programs.ts'
import { recordRunningShop } from '../running-shop.ts'
import { seed } from '../seed.ts'
import { mediaDir, publicUrl } from '../service-environment.ts'
import { rejectUsedPort } from '../service-ports.ts'
import { shopNamespace } from '../shop-namespace.ts'
import { readSettings, type ShopSettings } from '../shop-settings.ts'
import type { SupervisedService } from '../supervise.ts'
import { readClusterSecrets, type ClusterSecrets } from './cluster-secrets.ts'
import { findEnginePrograms, type EnginePrograms } from './find-programs.ts'
import { doctorVariables, environmentOn, type ServicesOptions } from './machine-services.ts'
import { Machine, startAndWait } from './machine.ts'
import { natsUrl } from './nats-node.ts'
import { createNetwork, MACHINE_NAMES, type MachineName, type Network } from './network.ts'
import { mailboxPage, outsidePrograms } from './outside-programs.ts'
import { PORTS } from './ports.ts'
import { redisUrl } from './redis-node.ts'

interface ClusterOptions {
  /** The variables that `npm start --help` lists; those of PostgreSQL, Redis and NATS are not used. */
  env: NodeJS.ProcessEnv
  dataDir: string
  print: (line: string) => void
  /** The folder of downloaded packages and built programs. */
  cacheDir: string
  /** Stops the start at the next step. */
  signal?: AbortSignal
  /** More variables, for example of programs on this computer. @param hostAddress where the machines reach it */
  moreEnv?: (hostAddress: string) => Promise<Record<string, string>>
  /**
   * Acknowledges commits before another machine, or even a disk, has them: for tests of the checks that must find the
   * loss.
   */
  unsafeCommits?: boolean
  /** Also finds newer versions of engines, for upgrades. */
  findNewer?: boolean
  /**
   * The folder of another version of this repository with its packages. Its migrate step and its services run at first,
   * with the variables of this version.
   */
  servicesFrom?: string
}

export interface RunningCluster {
  /** The one address of the shop. */
  url: string
  adminEmail: string
  adminPassword: string
  /** Shows the mails; undefined when mails go elsewhere. */
  mailboxPage: string | undefined
  dataDir: string
  network: Network
  machines: Record<MachineName, Machine>
  engines: EnginePrograms
  /** Of the services of this version. */
  programs: Programs
  /** Of the primary PostgreSQL through the first machine, with a user that may do everything. */
  databaseUrl: string
  /** All servers, with a user that may do everything. */
  natsUrl: string
  /** Of Redis and its sentinels. */
  redisPassword: string
  patroniPassword: string
  /** Whether PostgreSQL acknowledges commits that a lost machine takes with it. */
  unsafeCommits: boolean
  /** Runs the migrate step of this version. */
  migrate(): Promise<void>
  stop(): Promise<void>
}

type Undo = (() => Promise<void> | void)[]
type Machines = Record<MachineName, Machine>

const ADMINISTRATOR = 'launcher'
const [FIRST] = MACHINE_NAMES

/**
 * Starts the shop on three machines: on each one of every engine and a replica of every service.
 * @throws StartError with what to do; everything that was started is stopped before
 */
export async function startCluster(given: ClusterOptions): Promise<RunningCluster> {
  const undo: Undo = []
  const stop = async (): Promise<void> => {
    for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step()
  }
  try {
    return { ...(await startSteps({ ...given, dataDir: resolve(given.dataDir) }, undo)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startSteps(options: ClusterOptions, undo: Undo): Promise<Omit<RunningCluster, 'stop'>> {
  const { dataDir, print, cacheDir, signal = new AbortController().signal } = options
  undo.push(await lockDataFolder(dataDir))
  makeFolderPrivate(dataDir)
  const network = createNetwork()
  undo.push(() => network.remove())
  if (!network.cutOff)
    print('Machines share the loopback interface: they can be lost, but not be cut off from each other.')
  const env = { ...options.env, ...(await options.moreEnv?.(network.hostAddress)) }
  const settings = readSettings(env)
  await rejectUsedPort(settings.PORT)
  const secrets = readClusterSecrets(dataDir, settings)

  print('Looking for etcd, Patroni, PostgreSQL, HAProxy, NATS and Redis.')
  const engines = await findEnginePrograms({ env, dataDir, cacheDir, print, signal, findNewer: options.findNewer })
  const programs = await programsOrSources(cacheDir, { print, signal })
  const machines = createMachines(options, { engines, network, secrets })
  undo.push(async () => void (await Promise.all(Object.values(machines).map((machine) => machine.stop()))))
  await startEngines(machines, print, signal)

  print('Preparing database schemas and event streams.')
  const preparation = preparationOf(options, { network, secrets, settings })
  const first = firstVersion(options, programs)
  const databaseUrls = await first.prepare(preparation)

  print('Starting three replicas of each of the six services.')
  const services = { dataDir, env, settings, secrets, network, databaseUrls }
  for (const machine of Object.values(machines)) {
    machine.addServices((service) => environmentOn(machine, service, services), first.programs)
  }
  for (const program of outsidePrograms({ dataDir, print, network, engines, programs, secrets, settings })) {
    undo.push(() => program.stop())
    await startAndWait(program)
  }
  await untilAborted(signal, Promise.all(Object.values(machines).map((machine) => machine.startServices())))
  undo.push(recordCluster(services))
  const url = publicUrl(settings, settings.PORT)
  const login = { adminEmail: settings.ADMIN_EMAIL, adminPassword: secrets.shop.adminPassword }
  await untilAborted(signal, seed({ url, ...login, mediaDir: mediaDir(dataDir), print }))
  return {
    url,
    ...login,
    mailboxPage: mailboxPage({ settings, secrets }),
    dataDir,
    network,
    machines,
    engines,
    programs,
    databaseUrl: databaseUrl(network, secrets),
    natsUrl: natsUrlOf(network, secrets),
    redisPassword: secrets.redis,
    patroniPassword: secrets.databases.restApi,
    unsafeCommits: options.unsafeCommits ?? false,
    migrate: async () => void (await prepare(preparation)),
  }
}

function preparationOf(
  { print }: ClusterOptions,
  { network, secrets, settings }: { network: Network; secrets: ClusterSecrets; settings: ShopSettings },
): PrepareOptions {
  return {
    adminDatabaseUrl: databaseUrl(network, secrets),
    natsUrl: natsUrlOf(network, secrets),
    namespace: shopNamespace,
    rolePasswords: secrets.shop.rolePasswords,
    env: { ...settings.given, NATS_REPLICAS: String(MACHINE_NAMES.length) },
    print,
  }
}

/** @returns the programs of the services that run at first, and the migrate step before them */
function firstVersion({ servicesFrom: folder }: ClusterOptions, programs: Programs) {
  if (folder === undefined) return { programs, prepare }
  const prepareFirst = (preparation: PrepareOptions) => prepareOtherVersion(folder, preparation)
  return { programs: programSources(folder, folder), prepare: prepareFirst }
}

/** Writes where the servers are for the doctor and other tools. @returns a function that undoes it */
function recordCluster({ dataDir, settings, network, secrets }: ServicesOptions): () => void {
  const servers = {
    DATABASE_URL: databaseUrl(network, secrets),
    REDIS_URL: redisUrl(FIRST, network, secrets.redis),
    NATS_URL: natsUrlOf(network, secrets),
  }
  const variables = doctorVariables({ network, settings })
  return recordRunningShop(dataDir, { ...settings, ...servers }, systemClock.now(), variables)
}

function createMachines(
  { dataDir, print, unsafeCommits = false }: ClusterOptions,
  { engines, network, secrets }: { engines: EnginePrograms; network: Network; secrets: ClusterSecrets },
): Machines {
  const owner = findPostgresOwner(print)
  const users = [{ name: ADMINISTRATOR, password: secrets.natsAdministrator }, ...natsUsers(secrets.shop.natsPasswords)]
  const create = (name: MachineName): Machine => {
    const folder = join(dataDir, name)
    makeFolder(folder)
    return new Machine({ name, network, folder, owner, engines, secrets, natsUsers: users, unsafeCommits, print })
  }
  return { 'machine-1': create('machine-1'), 'machine-2': create('machine-2'), 'machine-3': create('machine-3') }
}

async function startEngines(machines: Machines, print: (line: string) => void, signal: AbortSignal): Promise<void> {
  const all = Object.values(machines)
  const start = (processes: SupervisedService[]) => untilAborted(signal, Promise.all(processes.map(startAndWait)))
  print('Starting etcd, NATS and Redis on three machines.')
  await start(all.flatMap(({ engines: { etcd, nats, redis } }) => [etcd, nats, redis]))
  print('Starting PostgreSQL on three machines: the standbys copy the primary.')
  await start(all.flatMap(({ engines: { patroni, haproxy, sentinel } }) => [patroni, haproxy, sentinel]))
}

function databaseUrl(network: Network, { databases }: ClusterSecrets): string {
  return `postgres://postgres:${databases.superuser}@${network.addressOf(FIRST)}:${PORTS.postgresPrimary}/postgres`
}

function natsUrlOf(network: Network, { natsAdministrator }: ClusterSecrets): string {
  return natsUrl(FIRST, network, { name: ADMINISTRATOR, password: natsAdministrator })
}
