import type { Message } from './compose-message.ts'

/**
 * A mail server that rejects a mail may quote it, and a reader of the log could use a quoted link like the recipient.
 */
export function storableReply(reply: string, { holdsLink }: Message): string {
  const harmless = holdsLink ? reply.replace(/https?:[^]*$/i, '[left out]') : reply
  return harmless.replaceAll('\0', '').slice(0, 1000)
}
