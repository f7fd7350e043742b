import type { SMTPServerOptions } from 'smtp-server'
import { startMailServer } from '@storefront/tools/testing'

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
  const options: SMTPServerOptions = {
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth(given, _session, done) {
      signIns.push({ user: given.username ?? '', password: given.password ?? '' })
      if (given.password === password()) done(null, { user: given.username })
      else done(Object.assign(new Error('wrong password'), { responseCode: 535 }))
    },
  }
  const server = await startMailServer(options, (mail) => mails.push(mail.toString()))
  return { ...server, mails, signIns }
}
