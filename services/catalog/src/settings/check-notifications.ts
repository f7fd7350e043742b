import { isIP } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import {
  MAIL_TRANSPORTS,
  readEmailAddress,
  StorefrontConfiguration,
  type NotificationSettings,
} from '@storefront/contracts'
import type { Issue } from '../errors.ts'
import { filled, settingsInForce } from './settings-in-force.ts'

/** Characters that would begin a new header of a mail, or a new SMTP command. */
const CONTROL = /\p{Cc}/u
/** Without quotes, the excluded characters would split the sender, or begin a comment or a group. */
const PLAIN_NAME = /^[^"<>()[\]\\,;:@]*$/
const QUOTED_NAME = /^"[^"\\]*"$/
const HOST_LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i
const SECRET_NAME = /pass|secret|token|auth|key/i

const ADDRESS_MESSAGE = 'must be one email address, alone or as Shop <shop@example.com>'
const TRANSPORTS = new Set<string>(MAIL_TRANSPORTS)
const TRANSPORT_MESSAGE = `must be one of ${MAIL_TRANSPORTS.join(', ')}: this shop sends mail only through a mail server`
const PASSWORD_MESSAGE = 'must not hold the password: send it to POST /admin/credentials as smtpPassword'

type Templates = NonNullable<NotificationSettings['templates']>
type MailsOf = Pick<StorefrontConfiguration, 'notifications'>

/** Templates that were checked before the lock, so that no transaction waits for that. */
export interface CheckedTemplates {
  templates: Templates
  issues: readonly Issue[]
}

/** Checks the templates of a requested configuration before anything is locked, because that can take a second. */
export async function checkTemplates(wanted: Readonly<Record<string, unknown>>): Promise<CheckedTemplates> {
  const templates = templatesOf(StorefrontConfiguration.pick({ notifications: true }).catch({}).parse(wanted))
  return { templates, issues: await faultsOfMailTemplates(templates) }
}

/** The current templates, which passed when they were saved and must not block changes of other settings. */
export function templatesInForce(document: MailsOf): CheckedTemplates {
  return { templates: templatesOf(document), issues: [] }
}

/** Values that the schema accepts, but with which mail would fail or be dangerous. */
export async function faultsOfNotifications(
  { notifications }: MailsOf,
  checkedTemplates: readonly CheckedTemplates[],
): Promise<Issue[]> {
  if (!notifications) return []
  const { smtp } = notifications
  const from = filled(notifications.from)
  const replyTo = filled(notifications.replyTo)
  const transport = filled(notifications.transport)
  const templates = templatesOf({ notifications })
  const issues = [
    ...(from !== undefined && !isSender(from) ? [{ path: 'from', message: ADDRESS_MESSAGE }] : []),
    ...(replyTo !== undefined && !isSender(replyTo) ? [{ path: 'replyTo', message: ADDRESS_MESSAGE }] : []),
    ...(transport !== undefined && !TRANSPORTS.has(transport)
      ? [{ path: 'transport', message: TRANSPORT_MESSAGE }]
      : []),
    ...(smtp ? faultsOfSmtp(smtp) : []),
    ...(checkedTemplates.find((known) => isDeepStrictEqual(known.templates, templates))?.issues ??
      (await faultsOfMailTemplates(templates))),
  ]
  return issues.map(({ path, message }) => ({ path: `notifications.${path}`, message }))
}

function templatesOf({ notifications }: MailsOf): Templates {
  return settingsInForce({ notifications }).notifications.templates ?? {}
}

function faultsOfSmtp(smtp: NonNullable<NonNullable<MailsOf['notifications']>['smtp']>): Issue[] {
  const host = filled(smtp.host)
  return [
    ...(host === undefined || isHost(host)
      ? []
      : [{ path: 'smtp.host', message: 'must be the name or address of a mail server' }]),
    ...(CONTROL.test(smtp.user ?? '')
      ? [{ path: 'smtp.user', message: 'must not contain line breaks or other control characters' }]
      : []),
    ...Object.keys(smtp)
      .filter((name) => SECRET_NAME.test(name))
      .map((name) => ({ path: `smtp.${name}`, message: PASSWORD_MESSAGE })),
  ]
}

/** The template language is loaded at the first use, because most processes never need it. */
async function faultsOfMailTemplates(templates: Templates): Promise<Issue[]> {
  if (Object.keys(templates).length === 0) return []
  const { faultsOfTemplates } = await import('@storefront/mail-templates')
  const faults = await faultsOfTemplates(templates)
  return faults.map(({ path, message }) => ({ path: `templates.${path}`, message }))
}

function isSender(line: string): boolean {
  if (CONTROL.test(line)) return false
  const named = /^([^<]*)<([^<>]*)>$/.exec(line.trim())
  if (!named) return isAddress(line)
  const [, name = '', address = ''] = named
  return isAddress(address) && (PLAIN_NAME.test(name.trim()) || QUOTED_NAME.test(name.trim()))
}

function isAddress(text: string): boolean {
  return readEmailAddress(text) !== undefined
}

function isHost(host: string): boolean {
  return isIP(host) !== 0 || host.split('.').every((label) => HOST_LABEL.test(label))
}
