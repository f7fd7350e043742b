import { SERVICE_NAMES, type ServiceName } from '@storefront/contracts'
import type { MailboxPorts } from './mailbox/mailbox-command.ts'
import { freePort, isPortFree } from './infrastructure/free-port.ts'
import { readProcesses } from './processes-file.ts'
import { StartError } from './start-error.ts'

export async function rejectUsedPort(port: number): Promise<void> {
  // A server that listens on only one of the addresses would get some of the requests for the shop.
  if ((await isPortFree(port, '0.0.0.0')) && (await isPortFree(port, '127.0.0.1'))) return
  if (port < 1024 && process.getuid?.() !== 0) {
    throw new StartError(
      `Port ${port} needs administrator rights, or is in use: choose another with PORT=8080 npm start.`,
    )
  }
  throw new StartError(`Port ${port} is in use by another program: choose another with PORT=${port + 1} npm start.`)
}

export type ServicePorts = [number, ...number[]]

/** The name of the log and the process of a replica: cart, cart-2, cart-3. */
export function replicaName(service: ServiceName, replica: number): string {
  return replica === 0 ? service : `${service}-${replica + 1}`
}

/** The name of a replica's metrics in the file of processes. */
export function metricsName(service: ServiceName, replica: number): string {
  return `${replicaName(service, replica)}-metrics`
}

/**
 * Chooses the ports of the last start again if they are free, so that noted addresses and bookmarks continue to work.
 */
export async function choosePorts(
  dataDir: string,
  gatewayPort: number,
  replicas: Partial<Record<ServiceName, number>> = {},
): Promise<{
  ports: Record<ServiceName, ServicePorts>
  metricsPorts: Record<ServiceName, ServicePorts>
  mailboxPorts: MailboxPorts
}> {
  const before = readProcesses(dataDir)
  const chosen = new Set([gatewayPort])
  const choose = async (name: string): Promise<number> => {
    let port = await freePort(before[name]?.port)
    while (chosen.has(port)) port = await freePort()
    chosen.add(port)
    return port
  }
  const chooseAll = async (
    name: ServiceName,
    nameOf: (service: ServiceName, replica: number) => string,
    first?: number,
  ): Promise<ServicePorts> => {
    const ports: ServicePorts = [first ?? (await choose(nameOf(name, 0)))]
    for (let replica = 1; replica < (replicas[name] ?? 1); replica++) ports.push(await choose(nameOf(name, replica)))
    return ports
  }
  const ports = {
    gateway: await chooseAll('gateway', replicaName, gatewayPort === 0 ? undefined : gatewayPort),
    catalog: await chooseAll('catalog', replicaName),
    cart: await chooseAll('cart', replicaName),
    orders: await chooseAll('orders', replicaName),
    identity: await chooseAll('identity', replicaName),
    notifier: await chooseAll('notifier', replicaName),
  }
  const metricsPorts = { ...ports }
  for (const name of SERVICE_NAMES) metricsPorts[name] = await chooseAll(name, metricsName)
  return { ports, metricsPorts, mailboxPorts: { pages: await choose('mailbox'), smtp: await choose('mailbox-smtp') } }
}
