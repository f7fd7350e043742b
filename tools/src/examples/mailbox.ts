import PostalMime, { type Email } from 'postal-mime'
import { startMailServer } from '../testing/mail-server.ts'

/** Every mail to this address is rejected, so that the example of the log of mails contains one that failed. */
export const UNKNOWN_RECIPIENT = 'gone@example.com'

export type Mailbox = Awaited<ReturnType<typeof openMailbox>>

/** Starts the mail server of the shop whose examples are recorded. */
export async function openMailbox() {
  const mails: Email[] = []
  const { port, stop } = await startMailServer(
    {
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onRcptTo({ address }, _session, done) {
        const unknown = Object.assign(new Error('5.1.1 mailbox unavailable'), { responseCode: 550 })
        done(address === UNKNOWN_RECIPIENT ? unknown : null)
      },
    },
    async (mail) => mails.push(await PostalMime.parse(mail)),
  )
  return {
    /** For `SMTP_URL`. */
    url: `smtp://127.0.0.1:${port}`,
    /**
     * @returns the token of the newest link to a page in the text or the headers of a mail to an address; undefined
     * while there is none
     */
    tokenFor(email: string, page: string) {
      const links = mails
        .filter(({ to }) => to?.some(({ address }) => address === email))
        .map(({ text = '', headers }) => [text, ...headers.map(({ value }) => value)].join('\n'))
        .flatMap((text) => [...text.matchAll(new RegExp(`${page}[#?]token=([\\w.-]+)`, 'g'))])
      return links.at(-1)?.[1]
    },
    stop,
  }
}
