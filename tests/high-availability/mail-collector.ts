import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
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
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onData(stream, _session, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        // It is kept before it is acknowledged: a repeated mail shall be seen twice.
        const mail = readSentMail(Buffer.concat(parts).toString())
        if (mail) mails.push(mail)
        done(null)
      })
    },
  })
  server.on('error', () => {}) // A client may close its connection at any time.
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const address: AddressInfo | string | null = server.server.address()
  if (typeof address !== 'object' || address === null) throw new Error('not listening')
  return {
    url: `smtp://${host}:${address.port}`,
    mails,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
