import type { Message } from './compose-message.ts'

/** What became of one attempt to send. */
export type SendResult =
  | { kind: 'sent'; answer: string }
  /** The server said no: for now, or for good. */
  | { kind: 'refused'; permanent: boolean; answer: string }
  /** No answer to go by: what it means depends on whether the message had been handed over. */
  | { kind: 'broken'; answer: string }

/** Two of them: SMTP, and files for a shop without a mail server. */
export interface MailTransport {
  /** How many mails it takes at a time. */
  readonly concurrency: number
  /** The least pause between two claims: what ends or comes meanwhile shares the next one. */
  readonly claimGapMs: number
  /**
   * Sends once; never rejects.
   * @param handOver awaited before the end of the message goes out; when it rejects, nothing is sent
   */
  send(message: Message, handOver: () => Promise<void>): Promise<SendResult>
  /** @param options.force also breaks off what is under way */
  close(options: { force: boolean }): void
}
