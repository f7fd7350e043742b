import type { NotificationSettings } from '@storefront/contracts'
import { mailServerFor, type MailServer } from './mail-server.ts'
import type { MailTransport, SendResult } from './mail-transport.ts'
import { PasswordWithheld, type smtpPassword } from './smtp-password.ts'
import type { SmtpOptions } from './connect-to-mail-server.ts'
import { SmtpTransport } from './smtp-transport.ts'

const NO_SERVER = 'no mail server is configured: set notifications.smtp, or SMTP_URL'

/**
 * Sends each mail through the mail server that is configured when it is sent: the merchant's, or the operator's.
 * @param options.password called before every mail
 */
export function chooseTransport(
  options: SmtpOptions & { smtpUrl: string | undefined; password: ReturnType<typeof smtpPassword> },
): MailTransport {
  const { smtpUrl, password } = options
  const smtp = new SmtpTransport(options)
  const serverFor = ({ smtp: named }: NotificationSettings) => mailServerFor(named, smtpUrl)

  /** No server is contacted before it is certain that it may have the password. */
  async function sendBy(
    settings: NotificationSettings,
    send: (server: MailServer) => Promise<SendResult>,
  ): Promise<SendResult> {
    const server = serverFor(settings)
    if (!server) return { kind: 'broken', answer: NO_SERVER }
    if (!server.auth) return send(server)
    try {
      const pass = (await password.passwordFor(server)) ?? server.auth.pass
      return await send({ ...server, auth: { ...server.auth, pass } })
    } catch (error) {
      const reply =
        error instanceof PasswordWithheld
          ? error.message
          : 'the host that the password belongs to cannot be read at the moment'
      return { kind: 'broken', answer: reply }
    }
  }

  return {
    hasServer: (settings) => serverFor(settings) !== undefined,
    isPasswordBound: password.isBound,
    async bindPassword(settings) {
      const server = serverFor(settings)
      if (!server?.auth) return
      await password.passwordFor(server).catch((error: unknown) => {
        if (!(error instanceof PasswordWithheld)) throw error
      })
    },
    send: (message, settings, beforeEnd) => sendBy(settings, (server) => smtp.send(server, message, beforeEnd)),
    sendNow: (message, settings, sending) => sendBy(settings, (server) => smtp.sendNow(server, message, sending)),
    close: (how) => smtp.close(how),
  }
}
