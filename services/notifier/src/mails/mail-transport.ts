import type { NotificationSettings } from '@storefront/contracts'
import type { Message } from './compose-message.ts'

/** What became of one attempt to send. */
export type SendResult =
  | { kind: 'sent'; answer: string }
  /** The server said no: for now, or for good. `bounced`: because nobody has this address. */
  | { kind: 'refused'; permanent: boolean; bounced: boolean; answer: string }
  /** No answer to go by: what it means depends on whether the message had been handed over. */
  | { kind: 'broken'; answer: string }

export interface MailTransport {
  /** How many mails it takes at a time. */
  readonly concurrency: number
  /** The least pause between two claims: what ends or comes meanwhile shares the next one. */
  readonly claimGapMs: number
  /** Whether these settings, or the operator, name a mail server. */
  hasServer(settings: NotificationSettings): boolean
  /** Whether it is known which server the password of the merchant is for, or there is none. */
  isPasswordBound(): boolean
  /** Settles that the password is for the server of these settings, unless they name none that wants one. */
  bindPassword(settings: NotificationSettings): Promise<void>
  /**
   * Sends once, by the settings in force; never rejects.
   * @param handOver awaited before the end of the message goes out; when it rejects, nothing is sent
   */
  send(message: Message, settings: NotificationSettings, handOver: () => Promise<void>): Promise<SendResult>
  /** Sends once while somebody waits for it: on a connection of its own, and not longer than that. Never rejects. */
  sendNow(
    message: Message,
    settings: NotificationSettings,
    options: { deadlineMs: number; handOver: () => Promise<void> },
  ): Promise<SendResult>
  /** @param options.force also breaks off what is under way */
  close(options: { force: boolean }): void
}
