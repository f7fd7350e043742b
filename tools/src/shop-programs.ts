import { join } from 'node:path'
import { SERVICE_NAMES, type ServiceName } from '@storefront/contracts'
import { forEachService } from './for-each-service.ts'
import { untilAborted } from './infrastructure/wait-until.ts'
import { mailboxCommand, type MailboxPorts } from './mailbox/mailbox-command.ts'
import { startMailbox } from './mailbox/start-mailbox.ts'
import { oneProcessCommand } from './one-process/one-process-command.ts'
import { runHere, startServiceHere } from './one-process/run-here.ts'
import { STOP_ORDER } from './one-process/stop-order.ts'
import { writeProcesses } from './processes-file.ts'
import { serviceCommand } from './service-command.ts'
import { internalUrl, mailDir, serviceEnvironment, type ServiceSurroundings } from './service-environment.ts'
import { metricsName, replicaName } from './service-ports.ts'
import { supervise, type SupervisedService, type Supervision } from './supervise.ts'

type Environment = Record<string, string>
export type ServiceReplicas = [SupervisedService, ...SupervisedService[]]

/** How the programs run. */
export interface ProgramOptions {
  /** Runs the services in the process of the caller, which is fastest, for tests that do not kill any. */
  inThisProcess?: boolean
  /**
   * The folder that `buildPrograms` of `testing` returned, from which services and mailbox run instead of from their
   * sources.
   */
  programs?: string
  /** The pause before a service that ended is restarted. It doubles each time the service ends soon after a start. */
  restartPauseMs?: Supervision['backoffMs']
  /** More variables for single services, for tests. A function receives the other variables of the service. */
  serviceEnvironment?: Partial<Record<ServiceName, Environment | ((given: Environment) => Environment)>>
}

export interface ShopPrograms {
  replicas: Record<ServiceName, ServiceReplicas>
  /** Only without SMTP_URL. */
  mailbox: SupervisedService | undefined
  /** Starts all of them and waits until they are ready. */
  start(signal: AbortSignal | undefined): Promise<void>
  stop(): Promise<void>
}

/** The services and the mailbox, each in a supervised process of its own, or together in one, or in this one. */
export function shopPrograms({
  options,
  surroundings,
  mailboxPorts,
}: {
  options: ProgramOptions & { print: (line: string) => void; cacheDir: string }
  surroundings: ServiceSurroundings
  mailboxPorts: MailboxPorts
}): ShopPrograms {
  const { print, cacheDir, programs, inThisProcess = false } = options
  const { settings, secrets, dataDir, ports, metricsPorts } = surroundings

  function supervised(name: string, url: string, command: Parameters<typeof supervise>[0]['command']) {
    return { name, url, command, logPath: logPath(name), print, changed: noteProcesses }
  }

  function logPath(name: string): string {
    return join(dataDir, 'logs', `${name}.log`)
  }

  function mailboxOfShop(): SupervisedService {
    const url = internalUrl(mailboxPorts.pages)
    const kept = { mailDir: mailDir(dataDir), token: secrets.mailboxToken }
    if (inThisProcess) return runHere(url, () => startMailbox(mailboxPorts, kept))
    return supervise(supervised('mailbox', url, mailboxCommand(mailboxPorts, kept, cacheDir, programs)))
  }

  function environmentOf(service: ServiceName, replica: number): Environment {
    return withMore(serviceEnvironment(service, surroundings, replica), options.serviceEnvironment?.[service])
  }

  function replicaOf(service: ServiceName, replica: number, port: number): SupervisedService {
    const url = internalUrl(port)
    const name = replicaName(service, replica)
    if (inThisProcess)
      return runHere(url, () => startServiceHere(service, environmentOf(service, replica), logPath(name)))
    return supervise({
      ...supervised(name, url, serviceCommand(service, environmentOf(service, replica), cacheDir, programs)),
      ...(options.restartPauseMs && { backoffMs: options.restartPauseMs }),
    })
  }

  function replicasOf(service: ServiceName): ServiceReplicas {
    const [first, ...others] = ports[service]
    return [replicaOf(service, 0, first), ...others.map((port, index) => replicaOf(service, index + 1, port))]
  }

  function servicesInOneProcess(): Record<ServiceName, ServiceReplicas> {
    const environments = forEachService((name) => environmentOf(name, 0))
    const process = supervise({
      ...supervised('shop', internalUrl(ports.gateway[0]), oneProcessCommand(environments, cacheDir)),
      readyUrls: SERVICE_NAMES.map((name) => internalUrl(ports[name][0])),
    })
    return forEachService((name) => [{ ...process, url: internalUrl(ports[name][0]) }])
  }

  const mailbox = settings.SMTP_URL === undefined ? mailboxOfShop() : undefined
  const replicas = settings.ONE_PROCESS === 'true' ? servicesInOneProcess() : forEachService(replicasOf)

  function noteProcesses(): void {
    const services = SERVICE_NAMES.flatMap((name) =>
      replicas[name].map((service, replica): [string, number | undefined, number] => [
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
      ['mailbox', mailbox?.pid(), mailboxPorts.pages],
      ['mailbox-smtp', undefined, mailboxPorts.smtp],
    ])
  }

  return {
    replicas,
    mailbox,
    async start(signal) {
      const all = [...SERVICE_NAMES.flatMap((name) => replicas[name]), ...(mailbox ? [mailbox] : [])]
      await Promise.all(all.map((service) => service.start()))
      await untilAborted(signal, Promise.all(all.map((service) => service.waitReady())))
    },
    async stop() {
      for (const name of STOP_ORDER) await Promise.all(replicas[name].map((service) => service.stop()))
      await mailbox?.stop()
    },
  }
}

function withMore(given: Environment, more: Environment | ((given: Environment) => Environment) = {}): Environment {
  return { ...given, ...(typeof more === 'function' ? more(given) : more) }
}
