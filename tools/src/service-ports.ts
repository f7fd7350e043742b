import { SERVICE_NAMES, type ServiceName } from '@storefront/contracts'
import type { MailboxPorts } from './mailbox/mailbox-command.ts'
import { freePort, isPortFree } from './infrastructure/free-port.ts'
import { readProcesses } from './processes-file.ts'
import { StartError } from './start-error.ts'

export async function refuseTakenPort(port: number): Promise<void> {
  // A server on one address alone would still get some of the requests meant for us.
  if ((await isPortFree(port, '0.0.0.0')) && (await isPortFree(port, '127.0.0.1'))) return
  if (port < 1024 && process.getuid?.() !== 0) {
    throw new StartError(
      `Port ${port} is for the administrator alone, or taken: choose another with PORT=8080 npm start.`,
    )
  }
  throw new StartError(`Port ${port} is taken by another program: choose another with PORT=${port + 1} npm start.`)
}

type ServicePorts = Record<ServiceName, number>

/** Where the metrics of a service stand in the file of processes. */
export const metricsName = (service: ServiceName) => `${service}-metrics` as const

/** The ports of the last start again where they are free: addresses in notes and bookmarks go on working. */
export async function choosePorts(
  dataDir: string,
  gatewayPort: number,
): Promise<{ ports: ServicePorts; metricsPorts: ServicePorts; mailboxPorts: MailboxPorts }> {
  const before = readProcesses(dataDir)
  const chosen = new Set([gatewayPort])
  const choose = async (
    name: ServiceName | ReturnType<typeof metricsName> | 'mailbox' | 'mailbox-smtp',
  ): Promise<number> => {
    let port = await freePort(before[name]?.port)
    while (chosen.has(port)) port = await freePort()
    chosen.add(port)
    return port
  }
  const ports = {
    gateway: gatewayPort === 0 ? await choose('gateway') : gatewayPort,
    catalog: await choose('catalog'),
    cart: await choose('cart'),
    orders: await choose('orders'),
    identity: await choose('identity'),
    notifier: await choose('notifier'),
  }
  const metricsPorts = { ...ports }
  for (const name of SERVICE_NAMES) metricsPorts[name] = await choose(metricsName(name))
  return { ports, metricsPorts, mailboxPorts: { pages: await choose('mailbox'), smtp: await choose('mailbox-smtp') } }
}
