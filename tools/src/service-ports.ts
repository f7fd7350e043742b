import type { ServiceName } from '@storefront/contracts'
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

/** One for each copy of a service. */
export type ServicePorts = [number, ...number[]]

/** What the log and the process of a copy are called: cart, cart-2, cart-3. */
export function copyName(service: ServiceName, copy: number): string {
  return copy === 0 ? service : `${service}-${copy + 1}`
}

/** The ports of the last start again where they are free: addresses in notes and bookmarks go on working. */
export async function choosePorts(
  dataDir: string,
  gatewayPort: number,
  copies: Partial<Record<ServiceName, number>> = {},
): Promise<{ ports: Record<ServiceName, ServicePorts>; mailboxPorts: MailboxPorts }> {
  const before = readProcesses(dataDir)
  const chosen = new Set([gatewayPort])
  const choose = async (name: string): Promise<number> => {
    let port = await freePort(before[name]?.port)
    while (chosen.has(port)) port = await freePort()
    chosen.add(port)
    return port
  }
  const chooseAll = async (name: ServiceName, first?: number): Promise<ServicePorts> => {
    const ports: ServicePorts = [first ?? (await choose(name))]
    for (let copy = 1; copy < (copies[name] ?? 1); copy++) ports.push(await choose(copyName(name, copy)))
    return ports
  }
  const ports = {
    gateway: await chooseAll('gateway', gatewayPort === 0 ? undefined : gatewayPort),
    catalog: await chooseAll('catalog'),
    cart: await chooseAll('cart'),
    orders: await chooseAll('orders'),
    identity: await chooseAll('identity'),
    notifier: await chooseAll('notifier'),
  }
  return { ports, mailboxPorts: { pages: await choose('mailbox'), smtp: await choose('mailbox-smtp') } }
}
