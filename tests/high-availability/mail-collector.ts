import { startMailServer } from '@storefront/tools/testing'
import { readSentMail } from './sent-mails.ts'
import type { SentMail } from './shop-state.ts'

export interface MailCollector {
  /** For `SMTP_URL`. */
  url: string
  /** Every mail about an order, in the order of their arrival. */
  mails: SentMail[]
  close: () => Promise<void>
}

/**
 * A mail server that keeps only what the checker compares, so that a run of any length fits into memory.
 * @param host the address of this machine at which the shop reaches it
 */
export async function openMailCollector(host = '127.0.0.1'): Promise<MailCollector> {
  const mails: SentMail[] = []
  const keep = (received: Buffer): void => {
    const mail = readSentMail(received.toString())
    if (mail) mails.push(mail)
  }
  const { port, stop } = await startMailServer({ disabledCommands: ['AUTH', 'STARTTLS'] }, keep, host)
  return { url: `smtp://${host}:${port}`, mails, close: stop }
}
