import type { Credentials } from '@storefront/credentials'
import type { ResolveName } from '@storefront/http'
import type { Encryption } from '@storefront/service'
import type { Connections } from '@storefront/service-start'
import type { NotifierTables } from './database.ts'
import type { WebhookSender } from './deliveries/send-webhook.ts'
import type { EndpointReader } from './endpoints/endpoint-reader.ts'
import type { SigningSecrets } from './endpoints/signing-secrets.ts'
import type { LinkSources } from './mails/mail-kinds.ts'
import type { MailLimits } from './mails/mail-limits.ts'
import type { MailTransport } from './mails/mail-transport.ts'
import type { SettingsReader } from './settings/settings-reader.ts'

/** The dependencies of the workers that send. */
export interface WorkerContext extends Connections<NotifierTables>, LinkSources {
  /** Identifies this replica as the holder of its claims; after a restart the process is another worker. */
  worker: string
  leaseMs: number
  /** Pause between two looks for work that has become due. */
  pollMs: number
  credentials: Credentials
  /** Encrypts the secrets of endpoints; none without SECRETS_KEY. */
  encryption: Encryption | undefined
  /** Whether receivers and mail servers may have private addresses. */
  allowPrivate: boolean
  resolve: ResolveName
  sender: WebhookSender
  secretsOf: SigningSecrets
  endpoints: EndpointReader
  /** The timeout of a probe of an open circuit. */
  probeMs: number
  transport: MailTransport
  settings: SettingsReader
  /** The sender while the merchant has set none. */
  mailFrom: string
  mailLimits: MailLimits
}

/** The dependencies of this service's operations; each names the part that it needs. */
export interface NotifierContext extends WorkerContext {
  /** Looks for deliveries now. */
  deliver: () => void
  /** Looks for mails now. */
  sendMails: () => void
}
