import { isDatabaseTimeout, isOutage } from '@storefront/postgres'
import { MINUTE_MS } from '@storefront/service'
import type { WorkerContext } from '../context.ts'
import { SettingsUnavailable, type ShopSettings } from '../settings/settings-reader.ts'
import { composeMessage, type Message } from './compose-message.ts'
import { writeMail, type LinkSources } from './mail-kinds.ts'
import type { ClaimedMail } from './mails.queries.ts'
import { LinkUnavailable } from './read-link.ts'
import { senderOf } from './sender.ts'
import { whyDisabled } from './why-disabled.ts'

/**
 * Longer than a restart of orders takes: a mail about an order waits this long for its link, and is then sent without.
 */
const ORDER_LINK_TIMEOUT_MS = 2 * MINUTE_MS

type MailWriting = Pick<WorkerContext, 'log' | 'clock' | 'settings' | 'mailFrom' | keyof LinkSources>

type PreparedMail =
  | { kind: 'ready'; message: Message; shop: ShopSettings }
  /** It is not sent at all. */
  | { kind: 'dropped'; reason: string }
  /** Another service, or the database, has to reply first. */
  | { kind: 'not yet'; reason: string }
  | { kind: 'impossible'; reason: string }

/** Writes a mail as it is sent now: with the settings of the merchant, and with links that work. */
export async function prepareMail(mail: ClaimedMail, writing: MailWriting): Promise<PreparedMail> {
  const { log } = writing
  try {
    const prepared = await write(mail, writing)
    if (prepared.kind === 'ready' && prepared.message.fellBack.length > 0) {
      const facts = { mail: mail.id, kind: mail.kind, faults: prepared.message.fellBack }
      log.warn(facts, 'a template of the merchant failed; the default template was used')
    }
    return prepared
  } catch (error) {
    if (error instanceof LinkUnavailable || error instanceof SettingsUnavailable) {
      return { kind: 'not yet', reason: error.message }
    }
    if (isOutage(error) || isDatabaseTimeout(error)) {
      return { kind: 'not yet', reason: 'the database was not available' }
    }
    log.error({ err: error, mail: mail.id, kind: mail.kind }, 'a mail cannot be composed')
    return { kind: 'impossible', reason: 'it could not be composed' }
  }
}

async function write(mail: ClaimedMail, writing: MailWriting): Promise<PreparedMail> {
  const { settings, mailFrom, clock } = writing
  const shop = await settings.read()
  const disabledReason = whyDisabled(mail.kind, shop.notifications)
  if (disabledReason !== undefined) return { kind: 'dropped', reason: disabledReason }
  const sender = senderOf(shop, mailFrom)
  const isLate = clock.now().getTime() - mail.created_at.getTime() >= ORDER_LINK_TIMEOUT_MS
  const text = await writeMail(mail, { ...writing, settings: shop, senderName: sender.from.name, isLate })
  if (!text) return { kind: 'dropped', reason: 'its link was used or has expired' }
  return { kind: 'ready', message: composeMessage(mail, text, sender), shop }
}
