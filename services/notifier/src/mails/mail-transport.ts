import type { NotificationSettings } from '@storefront/contracts'
import type { Message } from './compose-message.ts'

/** Connections to the mail server, each with one mail being sent: that many may be uncertain when a process dies. */
export const CONNECTIONS = 8

export type SendResult =
  | { kind: 'sent'; answer: string }
  /** The server rejected it: temporarily, or permanently. `bounced`: because the address does not exist. */
  | { kind: 'rejected'; permanent: boolean; bounced: boolean; answer: string }
  /** Without a response: its meaning depends on whether the message had been handed over. */
  | { kind: 'broken'; answer: string }

export interface MailTransport {
  /** Whether these settings, or the operator, configure a mail server. */
  hasServer(settings: NotificationSettings): boolean
  /** Whether the merchant has no password, or it is known which server it is for. */
  isPasswordBound(): boolean
  /** Binds the password to the server of these settings, unless they have none that needs one. */
  bindPassword(settings: NotificationSettings): Promise<void>
  /**
   * Sends once, with the current settings; never rejects.
   * @param beforeEnd awaited before the end of the message is sent; when it rejects, nothing is sent
   */
  send(message: Message, settings: NotificationSettings, beforeEnd: () => Promise<void>): Promise<SendResult>
  /** Sends once for a waiting request: on a separate connection, and within its time. Never rejects. */
  sendNow(
    message: Message,
    settings: NotificationSettings,
    options: { deadlineMs: number; beforeEnd: () => Promise<void> },
  ): Promise<SendResult>
  /** @param options.force also aborts running sends */
  close(options: { force: boolean }): void
}
