import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface MailReceiver {
  port: number
  /** Whole messages as they came. */
  mails: string[]
  /** Names and passwords of those who signed in. */
  signIns: { user: string; password: string }[]
  stop(): Promise<void>
}

/** A mail server that takes mails from whoever signs in with this password. */
export async function openMailReceiver(password: () => string): Promise<MailReceiver> {
  const mails: string[] = []
  const signIns: MailReceiver['signIns'] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    onAuth(given, _session, done) {
      signIns.push({ user: given.username ?? '', password: given.password ?? '' })
      if (given.password === password()) done(null, { user: given.username })
      else done(Object.assign(new Error('wrong password'), { responseCode: 535 }))
    },
    onData(stream, _session, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        mails.push(Buffer.concat(parts).toString())
        done(null)
      })
    },
  })
  server.on('error', () => {}) // A client that breaks off is none of our business.
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address: AddressInfo | string | null = server.server.address()
  if (typeof address !== 'object' || address === null) throw new Error('not listening')
  return {
    port: address.port,
    mails,
    signIns,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
