import { connect } from 'node:net'
import { join } from 'node:path'
import { SERVICE_NAMES, type ServiceName } from '@storefront/contracts'
import type { Command } from '../infrastructure/child-process.ts'
import type { PostgresPrograms } from '../infrastructure/debian-postgres.ts'
import type { NatsUser } from '../infrastructure/nats-configuration.ts'
import type { PostgresOwner } from '../infrastructure/postgres-owner.ts'
import type { Programs } from '../programs/build-programs.ts'
import { serviceCommand } from '../service-command.ts'
import { isReady, supervise, type SupervisedService } from '../supervise.ts'
import { databaseBalancerCommand } from './balancers.ts'
import type { ClusterSecrets } from './cluster-secrets.ts'
import { etcdCommand, isEtcdHealthy } from './etcd.ts'
import type { EngineProgram, EnginePrograms } from './find-programs.ts'
import { natsCommand } from './nats-node.ts'
import type { MachineName, Network } from './network.ts'
import { databaseFolder, patroniCommand, postgresRole } from './patroni.ts'
import { PORTS, SERVICE_PORTS } from './ports.ts'
import { postgresProcesses } from './postgres-processes.ts'
import { redisCommand, sentinelCommand } from './redis-node.ts'

export const ENGINES = ['etcd', 'patroni', 'haproxy', 'nats', 'redis', 'sentinel'] as const
type Engine = (typeof ENGINES)[number]

interface MachineOptions {
  name: MachineName
  network: Network
  folder: string
  owner: PostgresOwner | undefined
  engines: EnginePrograms
  secrets: ClusterSecrets
  natsUsers: NatsUser[]
  /** Whether PostgreSQL acknowledges commits before another machine has them. */
  unsafeCommits: boolean
  print: (line: string) => void
}

/** A machine with one of each engine and one replica of each service. Processes that end are started again. */
export class Machine {
  readonly name: MachineName
  readonly address: string
  readonly engines: Record<Engine, SupervisedService>
  readonly services = new Map<ServiceName, SupervisedService>()
  readonly #options: MachineOptions
  #environmentOf: (service: ServiceName) => Record<string, string> = () => ({})

  constructor(options: MachineOptions) {
    this.#options = options
    this.name = options.name
    this.address = options.network.addressOf(options.name)
    const { engines: programs, network, folder, secrets } = options
    const redis = { machine: this.name, network, folder, password: secrets.redis }
    const http = (port: number, path: string) => () => isReady(`http://${this.address}:${port}`, path)
    this.engines = {
      etcd: this.#engine('etcd', etcdCommand(programs.etcd, this.name, network, folder), () =>
        isEtcdHealthy(this.address),
      ),
      patroni: this.#engine(
        'patroni',
        this.#patroniCommand(programs.postgres),
        async () => (await postgresRole(this.address)) !== undefined,
      ),
      haproxy: this.#engine(
        'haproxy',
        databaseBalancerCommand(programs.haproxy, this.name, network),
        http(PORTS.haproxyHealth, '/healthz'),
      ),
      nats: this.#engine('nats', this.#natsCommand(programs.nats), http(PORTS.natsMonitor, '/healthz')),
      redis: this.#engine('redis', redisCommand(programs.redis, redis), () => listens(this.address, PORTS.redis)),
      sentinel: this.#engine('sentinel', sentinelCommand(programs.redis, redis), () =>
        listens(this.address, PORTS.sentinel),
      ),
    }
  }

  /** Adds a replica of each service. @param environmentOf the variables of a service on this machine */
  addServices(environmentOf: (service: ServiceName) => Record<string, string>, programs: Programs): void {
    this.#environmentOf = environmentOf
    for (const service of SERVICE_NAMES) {
      const command = this.#serviceCommand(service, programs)
      this.services.set(service, this.#supervise(service, SERVICE_PORTS[service], command))
    }
  }

  /** Starts the services and waits until they are ready. */
  async startServices(): Promise<void> {
    await Promise.all([...this.services.values()].map((service) => startAndWait(service)))
  }

  /** Stops the services, then the engines. */
  async stop(): Promise<void> {
    await Promise.all([...this.services.values()].map((service) => service.stop()))
    const { etcd, ...others } = this.engines
    await Promise.all(Object.values(others).map((engine) => engine.stop()))
    await etcd.stop()
  }

  /** Restarts a service, from now on with this program, which may be of another version. */
  async restartService(service: ServiceName, programs: Programs): Promise<void> {
    const command = this.#options.network.on(this.name, this.#serviceCommand(service, programs))
    await this.services.get(service)?.restart(command)
  }

  /** Restarts PostgreSQL with its Patroni, from now on with these programs, which may be of another minor version. */
  async restartPostgres(programs: PostgresPrograms): Promise<void> {
    await this.engines.patroni.restart(this.#options.network.on(this.name, this.#patroniCommand(programs)))
  }

  /** Restarts NATS, from now on with this program, which may be of another version. */
  async restartNats(program: EngineProgram): Promise<void> {
    await this.engines.nats.restart(this.#options.network.on(this.name, this.#natsCommand(program)))
  }

  /** Kills everything on the machine at once, as if it lost power, and leaves it dead until `start`. */
  async lose(): Promise<void> {
    const { network } = this.#options
    network.cutOff?.(this.name, 'both') // So that the system does not close its connections in an orderly way.
    const postgres = this.#postgresProcesses()
    const killed = [...this.services.values(), ...Object.values(this.engines)].map((process) => process.stop('SIGKILL'))
    killAll(postgres)
    await Promise.all(killed)
    killAll(this.#postgresProcesses()) // Patroni may have started another server before it ended.
  }

  /** Starts everything again on a machine that was lost. Resolves when its services are ready. */
  async start(): Promise<void> {
    this.#options.network.reconnect(this.name)
    await Promise.all(Object.values(this.engines).map((engine) => engine.start()))
    await this.startServices()
  }

  /** Kills PostgreSQL alone, as the system does when it has no memory left. */
  killPostgres(): void {
    killAll(this.#postgresProcesses().slice(0, 1))
  }

  #serviceCommand(service: ServiceName, programs: Programs): Command {
    return serviceCommand(`services/${service}/src/main.ts`, this.#environmentOf(service), programs)
  }

  #patroniCommand(postgres: PostgresPrograms): Command {
    const { engines, network, folder, owner, unsafeCommits, secrets } = this.#options
    const options = { machine: this.name, network, folder, owner, unsafeCommits }
    return patroniCommand({ ...engines, postgres }, options, secrets.databases)
  }

  #natsCommand(program: EngineProgram): Command {
    const { network, folder, natsUsers: users, secrets } = this.#options
    return natsCommand(program, { machine: this.name, network, folder, users, clusterPassword: secrets.natsCluster })
  }

  #postgresProcesses(): number[] {
    return postgresProcesses(databaseFolder(this.#options))
  }

  #engine(name: Engine, command: Command, ready: () => Promise<boolean>): SupervisedService {
    return this.#supervise(name, PORTS[name === 'haproxy' ? 'haproxyHealth' : name], command, ready)
  }

  #supervise(name: string, port: number, command: Command, ready?: () => Promise<boolean>): SupervisedService {
    const { network, folder, print } = this.#options
    return supervise({
      name: `${this.name} ${name}`,
      url: `http://${this.address}:${port}`,
      command: network.on(this.name, command),
      logPath: join(folder, 'logs', `${name}.log`),
      print,
      stopTimeoutMs: 30_000,
      ...(ready && { isReady: ready }),
    })
  }
}

export async function startAndWait(process: SupervisedService): Promise<void> {
  await process.start()
  await process.waitReady(120_000)
}

function listens(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 1_000 })
    const end = (result: boolean) => () => {
      socket.destroy()
      resolve(result)
    }
    socket.once('connect', end(true)).once('error', end(false)).once('timeout', end(false))
  })
}

function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
}
