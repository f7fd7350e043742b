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
  const upstreams = SERVICE_NAMES.filter((each) => each !== 'gateway').map((each) => [
    `${each.toUpperCase()}_URL`,
    MACHINE_NAMES.map((machine) => `http://${network.addressOf(machine)}:${SERVICE_PORTS[each]}`).join(','),
  ])
  return {
    ...serviceEnvironment(service, launchContext(options)),
    HOST: address,
    METRICS_HOST: address,
    REDIS_URL: redisUrl(name, network, secrets.redis),
    NATS_URL: natsUrl(name, network, { name: service, password: secrets.shop.natsPasswords[service] }),
    ...(service !== 'gateway' && { DATABASE_URL: database.href }),
    ...(service === 'catalog' && { DATABASE_STANDBY_URL: standbys.href }),
    ...(service === 'gateway' && { ...Object.fromEntries(upstreams), TRUST_PROXY: '1' }),
    ...(service === 'notifier' &&
      settings.SMTP_URL === undefined && { SMTP_URL: `smtp://${network.hostAddress}:${MAILBOX_PORTS.smtp}` }),
  }
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
