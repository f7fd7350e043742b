import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface MailReceiver {
  port: number
  /** The complete messages, as they arrived. */
  mails: string[]
  /** The names and passwords of all sign-ins. */
  signIns: { user: string; password: string }[]
  stop(): Promise<void>
}

/** A mail server that accepts mails from clients that sign in with this password. */
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
  server.on('error', () => {}) // A client may close its connection at any time.
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
