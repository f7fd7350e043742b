import { join } from 'node:path'
import { SERVICE_NAMES, type ServiceName } from '@storefront/contracts'
import { forEachService } from './for-each-service.ts'
import { untilAborted } from './infrastructure/wait-until.ts'
import { mailboxCommand } from './mailbox/mailbox-command.ts'
import { startMailbox } from './mailbox/start-mailbox.ts'
import { oneProcessCommand } from './one-process/one-process-command.ts'
import { runHere, startServiceHere } from './one-process/run-here.ts'
import { STOP_ORDER } from './one-process/stop-order.ts'
import { writeProcesses } from './processes-file.ts'
import type { Programs } from './programs/build-programs.ts'
import { serviceCommand } from './service-command.ts'
import { internalUrl, mailDir, serviceEnvironment, type LaunchContext } from './service-environment.ts'
import { metricsName, replicaName } from './service-ports.ts'
import { storefrontCommand } from './storefront-program.ts'
import { isReady, supervise, type SupervisedService, type Supervision } from './supervise.ts'

type Environment = Record<string, string>
export type ServiceReplicas = [SupervisedService, ...SupervisedService[]]

export interface ProgramOptions {
  /** Runs the services in the process of the caller, which is fastest, for tests that do not kill any. */
  inThisProcess?: boolean
  /** The pause before a service that ended is restarted. It doubles each time the service ends soon after a start. */
  restartPauseMs?: Supervision['backoffMs']
  /** More variables for single services, for tests. A function receives the other variables of the service. */
  serviceEnvironment?: Partial<Record<ServiceName, Environment | ((given: Environment) => Environment)>>
}

interface RunOptions extends ProgramOptions {
  print: (line: string) => void
  programs: Programs
}

/**
 * The services, the mailbox and the storefront, each in a supervised process of its own, or together in one, or in this
 * one.
 */
export class ShopPrograms {
  readonly replicas: Record<ServiceName, ServiceReplicas>
  /** Only without SMTP_URL. */
  readonly mailbox: SupervisedService | undefined
  /** Only when the shop has its own. */
  readonly storefront: SupervisedService | undefined
  readonly #options: RunOptions
  readonly #context: LaunchContext

  constructor(options: RunOptions, context: LaunchContext) {
    this.#options = options
    this.#context = context
    const { SMTP_URL, ONE_PROCESS } = context.settings
    this.mailbox = SMTP_URL === undefined ? this.#mailboxOfShop() : undefined
    this.storefront = this.#ownStorefront()
    this.replicas =
      ONE_PROCESS === 'true' ? this.#servicesInOneProcess() : forEachService((name) => this.#replicasOf(name))
  }

  /** Starts all of them and waits until they are ready. */
  async start(signal: AbortSignal | undefined): Promise<void> {
    const services = SERVICE_NAMES.flatMap((name) => this.replicas[name])
    const all = [...services, ...[this.mailbox, this.storefront].filter((one) => one !== undefined)]
    await Promise.all(all.map((service) => service.start()))
    await untilAborted(signal, Promise.all(all.map((service) => service.waitReady())))
  }

  async stop(): Promise<void> {
    await this.storefront?.stop()
    for (const name of STOP_ORDER) await Promise.all(this.replicas[name].map((service) => service.stop()))
    await this.mailbox?.stop()
  }

  #mailboxOfShop(): SupervisedService {
    const { dataDir, secrets, mailboxPorts } = this.#context
    const { inThisProcess = false, programs } = this.#options
    const url = internalUrl(mailboxPorts.pages)
    const mailboxOptions = { mailDir: mailDir(dataDir), token: secrets.mailboxToken }
    if (inThisProcess) return runHere(url, () => startMailbox(mailboxPorts, mailboxOptions))
    return supervise(this.#supervised('mailbox', url, mailboxCommand(mailboxPorts, mailboxOptions, programs)))
  }

  #ownStorefront(): SupervisedService | undefined {
    const { storefrontPort } = this.#context
    if (storefrontPort === undefined) return undefined
    const command = storefrontCommand(this.#context, storefrontPort, this.#options.programs)
    return supervise(this.#supervised('storefront', internalUrl(storefrontPort), command))
  }

  #replicasOf(service: ServiceName): ServiceReplicas {
    const [first, ...others] = this.#context.ports[service]
    return [
      this.#replicaOf(service, 0, first),
      ...others.map((port, index) => this.#replicaOf(service, index + 1, port)),
    ]
  }

  #replicaOf(service: ServiceName, replica: number, port: number): SupervisedService {
    const { inThisProcess = false, programs, restartPauseMs } = this.#options
    const url = internalUrl(port)
    const name = replicaName(service, replica)
    if (inThisProcess) {
      return runHere(url, () => startServiceHere(service, this.#environmentOf(service, replica), this.#logPath(name)))
    }
    const environment = this.#environmentOf(service, replica)
    const command = serviceCommand(`services/${service}/src/main.ts`, environment, programs)
    return supervise({
      ...this.#supervised(name, url, command),
      ...(restartPauseMs && { backoffMs: restartPauseMs }),
    })
  }

  #servicesInOneProcess(): Record<ServiceName, ServiceReplicas> {
    const { ports } = this.#context
    const environments = forEachService((name) => this.#environmentOf(name, 0))
    const command = oneProcessCommand(environments, this.#options.programs)
    const process = supervise({
      ...this.#supervised('shop', internalUrl(ports.gateway[0]), command),
      isReady: () => areReady(SERVICE_NAMES.map((name) => internalUrl(ports[name][0]))),
    })
    return forEachService((name) => [{ ...process, url: internalUrl(ports[name][0]) }])
  }

  #environmentOf(service: ServiceName, replica: number): Environment {
    const given = serviceEnvironment(service, this.#context, replica)
    const more = this.#options.serviceEnvironment?.[service]
    return { ...given, ...(typeof more === 'function' ? more(given) : more) }
  }

  #supervised(name: string, url: string, command: Supervision['command']): Supervision {
    const { print } = this.#options
    return { name, url, command, logPath: this.#logPath(name), print, changed: () => this.#noteProcesses() }
  }

  #logPath(name: string): string {
    return join(this.#context.dataDir, 'logs', `${name}.log`)
  }

  #noteProcesses(): void {
    const { dataDir, metricsPorts, mailboxPorts, storefrontPort } = this.#context
    const storefront: [string, number | undefined, number][] =
      storefrontPort === undefined ? [] : [['storefront', this.storefront?.pid(), storefrontPort]]
    const services = SERVICE_NAMES.flatMap((name) =>
      this.replicas[name].map((service, replica): [string, number | undefined, number] => [
        replicaName(name, replica),
        service.pid(),
        Number(new URL(service.url).port),
      ]),
    )
    const metrics = SERVICE_NAMES.flatMap((name) =>
      metricsPorts[name].map((port, replica): [string, undefined, number] => [
        metricsName(name, replica),
        undefined,
        port,
      ]),
    )
    writeProcesses(dataDir, [
      ...services,
      ...metrics,
      ...storefront,
      ['mailbox', this.mailbox?.pid(), mailboxPorts.pages],
      ['mailbox-smtp', undefined, mailboxPorts.smtp],
    ])
  }
}

async function areReady(urls: readonly string[]): Promise<boolean> {
  return (await Promise.all(urls.map((url) => isReady(url)))).every(Boolean)
}
