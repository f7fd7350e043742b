import { SERVICE_NAMES, type ServiceName } from '@storefront/contracts'
import { forEachService } from '../for-each-service.ts'
import { serviceEnvironment, type LaunchContext } from '../service-environment.ts'
import { shopNamespace } from '../shop-namespace.ts'
import type { ShopSettings } from '../shop-settings.ts'
import type { ClusterSecrets } from './cluster-secrets.ts'
import type { Machine } from './machine.ts'
import { natsUrl } from './nats-node.ts'
import { MACHINE_NAMES, type Network } from './network.ts'
import { MAILBOX_PORTS, METRICS_PORTS, PORTS, SERVICE_PORTS } from './ports.ts'
import { redisUrl } from './redis-node.ts'

export interface ServicesOptions {
  dataDir: string
  env: NodeJS.ProcessEnv
  settings: ShopSettings
  secrets: ClusterSecrets
  network: Network
  databaseUrls: Record<ServiceName, string>
}

/** The environment of a service on a machine: what it gets on a single one, with the addresses of its machine. */
export function environmentOn({ name, address }: Machine, service: ServiceName, options: ServicesOptions) {
  const { network, secrets, settings, databaseUrls } = options
  const database = new URL(databaseUrls[service])
  database.hostname = address
  const standbys = new URL(database)
  standbys.port = String(PORTS.postgresStandby)
  const { GATEWAY_URL: _, ...upstreams } = serviceUrls(network)
  return {
    ...serviceEnvironment(service, launchContext(options)),
    HOST: address,
    METRICS_HOST: address,
    REDIS_URL: redisUrl(name, network, secrets.redis),
    NATS_URL: natsUrl(name, network, { name: service, password: secrets.shop.natsPasswords[service] }),
    ...(service !== 'gateway' && { DATABASE_URL: database.href }),
    ...(service === 'catalog' && { DATABASE_STANDBY_URL: standbys.href }),
    ...(service === 'gateway' && { ...upstreams, TRUST_PROXY: '1' }),
    ...(service === 'notifier' && settings.SMTP_URL === undefined && { SMTP_URL: mailServerUrl(network) }),
  }
}

/** What the doctor must find on the machines, as variables of its environment. */
export function doctorVariables({ network, settings }: Pick<ServicesOptions, 'network' | 'settings'>) {
  const others = String(MACHINE_NAMES.length - 1)
  return {
    ...serviceUrls(network),
    ...(settings.SMTP_URL === undefined && { SMTP_URL: mailServerUrl(network) }),
    POSTGRES_STANDBYS: others,
    REDIS_REPLICAS: others,
    NATS_REPLICAS: String(MACHINE_NAMES.length),
    PATRONI_URLS: urlsOnMachines(network, PORTS.patroni),
    ETCD_URLS: urlsOnMachines(network, PORTS.etcd),
  }
}

/** The replicas of each service, by `GATEWAY_URL`, `CATALOG_URL` and so on. */
function serviceUrls(network: Network): Record<string, string> {
  return Object.fromEntries(
    SERVICE_NAMES.map((name) => [`${name.toUpperCase()}_URL`, urlsOnMachines(network, SERVICE_PORTS[name])]),
  )
}

function urlsOnMachines(network: Network, port: number): string {
  return MACHINE_NAMES.map((machine) => `http://${network.addressOf(machine)}:${port}`).join(',')
}

/** Of the mailbox that takes the place of a mail provider. */
function mailServerUrl(network: Network): string {
  return `smtp://${network.hostAddress}:${MAILBOX_PORTS.smtp}`
}

function launchContext({ dataDir, env, settings, secrets, databaseUrls }: ServicesOptions): LaunchContext {
  return {
    settings,
    secrets: secrets.shop,
    dataDir,
    namespace: shopNamespace,
    ports: forEachService((name) => [SERVICE_PORTS[name]]),
    metricsPorts: forEachService((name) => [METRICS_PORTS[name]]),
    databaseUrls,
    redisUrl: '',
    natsUrlFor: () => '',
    storefrontPort: undefined,
    mailboxPorts: MAILBOX_PORTS,
    inherited: env,
  }
}
