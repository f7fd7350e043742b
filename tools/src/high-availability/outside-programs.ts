import { join } from 'node:path'
import { mailboxCommand } from '../mailbox/mailbox-command.ts'
import type { Programs } from '../programs/build-programs.ts'
import { mailDir } from '../service-environment.ts'
import type { ShopSettings } from '../shop-settings.ts'
import { isReady, supervise, type SupervisedService } from '../supervise.ts'
import { frontCommand } from './balancers.ts'
import type { ClusterSecrets } from './cluster-secrets.ts'
import type { EnginePrograms } from './find-programs.ts'
import type { Network } from './network.ts'
import { FRONT_HEALTH_PORT, MAILBOX_PORTS } from './ports.ts'

interface OutsideOptions {
  dataDir: string
  print: (line: string) => void
  network: Network
  engines: EnginePrograms
  programs: Programs
  secrets: ClusterSecrets
  settings: ShopSettings
}

const mailboxUrl = `http://127.0.0.1:${MAILBOX_PORTS.pages}`

/** What runs outside the three machines: the one address of the shop, and the mailbox in place of a mail provider. */
export function outsidePrograms(options: OutsideOptions): SupervisedService[] {
  const front = frontOf(options)
  return options.settings.SMTP_URL === undefined ? [mailboxOf(options), front] : [front]
}

/** @returns the address of the page that shows the mails, with its token; undefined when mails go elsewhere */
export function mailboxPage({ settings, secrets }: Pick<OutsideOptions, 'settings' | 'secrets'>): string | undefined {
  return settings.SMTP_URL === undefined ? `${mailboxUrl}/?token=${secrets.shop.mailboxToken}` : undefined
}

function mailboxOf({ dataDir, print, network, programs, secrets }: OutsideOptions): SupervisedService {
  const options = { mailDir: mailDir(dataDir), token: secrets.shop.mailboxToken }
  const command = mailboxCommand({ ...MAILBOX_PORTS, smtpHost: network.hostAddress }, options, programs)
  return supervise({ name: 'mailbox', url: mailboxUrl, command, logPath: join(dataDir, 'logs', 'mailbox.log'), print })
}

function frontOf({ dataDir, print, network, engines, settings }: OutsideOptions): SupervisedService {
  const ports = { port: settings.PORT, healthPort: FRONT_HEALTH_PORT }
  const url = `http://127.0.0.1:${FRONT_HEALTH_PORT}`
  return supervise({
    name: 'front',
    url,
    command: frontCommand(engines.haproxy, { network, folder: dataDir, ...ports }),
    logPath: join(dataDir, 'logs', 'front.log'),
    print,
    isReady: () => isReady(url, '/healthz'),
  })
}
