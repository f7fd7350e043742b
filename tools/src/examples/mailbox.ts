import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** Every mail to this address is rejected, so that the example of the log of mails contains one that failed. */
export const UNKNOWN_RECIPIENT = 'gone@example.com'

/** The mail server of the shop whose examples are recorded. */
export interface Mailbox {
  /** For `SMTP_URL`. */
  url: string
  /**
   * @returns the token of the newest link to a page in the text or the headers of a mail to an address; undefined while
   * there is none
   */
  tokenFor: (email: string, page: string) => string | undefined
  stop: () => Promise<void>
}

export async function openMailbox(): Promise<Mailbox> {
  const mails: Email[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onRcptTo({ address }, _session, done) {
      const unknown = Object.assign(new Error('5.1.1 mailbox unavailable'), { responseCode: 550 })
      done(address === UNKNOWN_RECIPIENT ? unknown : null)
    },
    onData(stream, _session, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        PostalMime.parse(Buffer.concat(parts)).then(
          (mail) => {
            mails.push(mail)
            done(null)
          },
          (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
        )
      })
    },
  })
  // A client that disconnects is not an error of the recording.
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `smtp://127.0.0.1:${portOf(server.server.address())}`,
    tokenFor(email, page) {
      const links = mails
        .filter(({ to }) => to?.some(({ address }) => address === email))
        .map(({ text = '', headers }) => [text, ...headers.map(({ value }) => value)].join('\n'))
        .flatMap((text) => [...text.matchAll(new RegExp(`${page}[#?]token=([\\w.-]+)`, 'g'))])
      return links.at(-1)?.[1]
    },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('The mail server listens nowhere.')
  return address.port
}
